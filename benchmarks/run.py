"""Run benchmarks with small sizes, and tell which ratios are worse than those recorded.

`.venv/bin/python benchmarks/run.py` after `make study`. Ratios only are compared, never times, with
those in `recorded.json` of a processor of the same maker with the same instructions. A speedup or
share of the best should be high and a ratio low; one that is worse by more than 15 % is printed,
and the exit status is 1.
`--record` writes what is measured to that file instead. Those of stages, domains, load, peers,
plans, the report, scaling and Slurm are left out: small sizes say nothing of them.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isa import strongest
from tqdm import tqdm

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
SMALL: Mapping[str, list[str]] = {
    "bench_start.py": [],
    "bench_invariant.py": ["--count", "20", "--literal", "40"],
    "bench_grammar.py": ["--originals", "2", "--mutants", "40"],
    "bench_inference.py": ["--scale", "0.2"],
    "bench_oracle.py": ["--rows", "2000000"],
    "bench_tables.py": ["--rows", "500000"],
    "bench_relations.py": ["--sources", "470"],
}
WORSE = 1.15

Ratios = dict[str, dict[str, float]]


def main(*, record: bool) -> None:
    """Measure, and record or compare."""
    measured = {script: _run(script) for script in tqdm(SMALL, unit=" scripts", disable=None)}
    recorded = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    # With the same instructions, libraries may be fast on processors of one maker alone.
    processor = strongest()
    if record:
        text = json.dumps(recorded | {processor: measured}, indent=2, sort_keys=True)
        RECORDED.write_text(text + "\n", encoding="utf-8")
    elif processor in recorded:
        found = worse(measured, than=recorded[processor])
        print(*found or ["No ratio is worse by more than 15 %."], sep="\n")
        sys.exit(bool(found))
    else:
        sys.exit(f"{RECORDED.name} has no ratios for {processor}; write them with --record.")


def worse(measured: Ratios, *, than: Ratios) -> list[str]:
    """Return a line for each ratio that is worse than the recorded one, or that is missing."""
    lines = []
    for script, ratios in than.items():
        for name, before in ratios.items():
            now = measured.get(script, {}).get(name)
            if now is None:
                lines.append(f"{script}: {name} is no longer measured (it was {before})")
            elif (before / now if _should_be_high(name) else now / before) > WORSE:
                lines.append(f"{script}: {name} is {now}, and was {before}")
    return lines


def _run(script: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, HERE / script, *SMALL[script]], check=True, stdout=subprocess.PIPE
    )
    record: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {name: value for name, value in record.items() if _is_ratio(name)}


def _is_ratio(name: str) -> bool:
    return _should_be_high(name) or name.startswith("ratio")


def _should_be_high(name: str) -> bool:
    return "speedup" in name or name.endswith("share_of_best")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the ratios instead")
    main(**vars(parser.parse_args()))
