"""Benchmarks held to an instruction set, as if the processor had no more."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

# The switches of oneDNN, torch, MKL and OpenBLAS; what is compiled for one set alone keeps to it.
SWITCHES = ("ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY", "MKL_ENABLE_INSTRUCTIONS")
CORE = "OPENBLAS_CORETYPE"
SETTINGS = {
    "avx2": ("AVX2", "avx2", "AVX2", "Haswell"),
    "avx512": ("AVX512_CORE", "avx512", "AVX512", "SkylakeX"),
    "avx512_bf16": ("AVX512_CORE_BF16", "avx512", "AVX512", "Cooperlake"),
    "amx": ("AVX512_CORE_AMX", "avx512", "AVX512", "Sapphirerapids"),
}
FLAGS = {"avx2": "avx2", "avx512": "avx512f", "avx512_bf16": "avx512_bf16", "amx": "amx_bf16"}
"""What Linux calls the instructions of each set."""


def parse_arguments(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Return the arguments by name, with the process held to the instruction set of `--isa`.

    Ends the program where the processor lacks it.
    """
    parser.add_argument(
        "--isa", choices=SETTINGS, help="the most instructions to use; default: all there are"
    )
    given = vars(parser.parse_args())
    isa = given.pop("isa")
    if isa:
        if FLAGS[isa] not in _processor("flags").split():
            parser.error(f"this processor has no {FLAGS[isa]}: choose another --isa")
        held = dict(zip((*SWITCHES, CORE), SETTINGS[isa], strict=True))
        # Libraries read them when they are loaded.
        if not held.items() <= os.environ.items():
            os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **held})
    return given


def strongest() -> str:
    """Return the maker of the processor, and the largest instruction set that it has."""
    flags = _processor("flags").split()
    isa = next((name for name in reversed(FLAGS) if FLAGS[name] in flags), "none")
    return f"{_processor('vendor_id')} {isa}"


def machine() -> dict[str, Any]:
    """Return the processor, its cores, and the instruction set that the process is held to."""
    limit = os.environ.get(SWITCHES[0])
    names = {settings[0]: name for name, settings in SETTINGS.items()}
    return {
        "processor": _processor("model name"),
        "cpus": os.cpu_count(),
        "isa": names[limit] if limit else "all",
    }


def _processor(key: str) -> str:
    """Return what Linux tells of the first core."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith(key)), "")
