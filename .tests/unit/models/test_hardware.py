"""Models run first in half precision where that is fast, and only there."""

import pytest
import torch
from hinter.models.hardware import screening_dtype

INTEL, AMD = "Intel Xeon", "AMD EPYC"


@pytest.mark.parametrize(
    ("processor", "avx512_bf16", "amx", "limit", "screening"),
    [
        (AMD, False, False, None, torch.float32),
        (AMD, True, False, None, torch.bfloat16),
        (AMD, True, False, "AVX512_CORE_BF16", torch.bfloat16),
        (AMD, True, False, "AVX512_CORE", torch.float32),
        (INTEL, True, False, None, torch.float32),
        (INTEL, True, True, None, torch.bfloat16),
        (INTEL, True, True, "AVX512_CORE_AMX", torch.bfloat16),
        (INTEL, True, True, "AVX512_CORE_BF16", torch.float32),
        (INTEL, True, True, "AVX2", torch.float32),
    ],
)
def test_a_processor_screens_in_bfloat16_where_it_is_faster_at_it(
    processor: str,
    avx512_bf16: bool,
    amx: bool,
    limit: str | None,
    screening: torch.dtype,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {"cpu_name": processor, "avx512_bf16": avx512_bf16, "amx_bf16": amx}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: known)
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    if limit:
        monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", limit)
    assert screening_dtype(torch.device("cpu"), torch.float32) == screening
