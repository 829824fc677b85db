"""The check of GPUs runs all its parts on tiny shapes, and nothing where there is no device."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from gpu_check import ARCHITECTURES, Shapes, check

ROOT = Path(__file__).resolve().parents[2]
ENCODER = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "max_position_embeddings": 40,
}
TINY = Shapes(
    encoder=ENCODER,
    llama={**ENCODER, "max_position_embeddings": 64},
    words=100,
    tokens=24,
    batch_tokens=200,
    texts=12,
    prompts=8,
    alone=6,
    steps=2,
    batch_size=4,
)


@pytest.mark.release
@pytest.mark.long
def test_all_parts_run_and_batching_changes_nothing(tmp_path: Path) -> None:
    record = check(TINY, device="cpu", folder=tmp_path)
    measured = [f"encoder_{dtype}" for dtype in ("float32", "float16", "bfloat16")]
    measured += [f"training_{name}" for name in ARCHITECTURES]
    measured += ["llama_generated", "llama_scored"]
    assert all(record[f"{name}_texts_per_s"] > 0 for name in measured)
    assert record["outcomes_changed"] == record["jobs_changed"] == 0
    assert json.loads(json.dumps(record)) == record


@pytest.mark.release
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device")
def test_without_a_device_nothing_is_run() -> None:
    script = ROOT / "benchmarks" / "gpu_check.py"
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env=dict(os.environ), check=True
    )
    assert done.stdout == "no CUDA device: nothing was run\n"
