"""Models run first in half precision where that is fast, and only there."""

import pytest
import torch
from hinter.models.hardware import screening_dtype


@pytest.mark.parametrize(
    ("avx512_bf16", "amx", "limit", "screening"),
    [
        (False, False, None, torch.float32),
        (True, False, None, torch.bfloat16),
        (True, True, None, torch.bfloat16),
        (True, True, "AVX512_CORE_BF16", torch.bfloat16),
        (True, True, "AVX512_CORE", torch.float32),
        (True, True, "AVX2", torch.float32),
    ],
)
def test_a_processor_screens_in_bfloat16_where_it_has_instructions_for_it(
    avx512_bf16: bool,
    amx: bool,
    limit: str | None,
    screening: torch.dtype,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: avx512_bf16)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx)
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    if limit:
        monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", limit)
    assert screening_dtype(torch.device("cpu"), torch.float32) == screening
