"""Seconds to draw and rewrite the source prompts of the paper on relations: one JSON line.

`.venv/bin/python benchmarks/bench_relations.py`. The ratio is that of a source's time to that of a
source among a tenth as many: 1 if the time grows with the sources and no faster.
"""

import argparse
import json
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from isa import machine

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

import rewrite_prompts

PROMPTS = Path(__file__).resolve().parents[1] / "config" / "relations" / "prompts.yaml"


def main(*, sources: int) -> None:
    """Print the numbers of prompts, the seconds that they took, and the ratio."""
    fewer = max(sources // 10, 1)
    _rewrite(fewer)
    _, of_fewer = _rewrite(fewer)
    counts, seconds = _rewrite(sources)
    record = {
        **counts,
        "seconds": round(seconds, 1),
        "ratio_to_a_tenth": round(seconds / sources / (of_fewer / fewer), 2),
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000,
        **machine(),
    }
    print(json.dumps(record))


def _rewrite(sources: int) -> tuple[dict[str, int], float]:
    """Return the numbers of prompts, and the seconds until all files are written."""
    started = time.monotonic()
    with TemporaryDirectory() as folder:
        made = {name: str(Path(folder, name)) for name in ("corpus", "suite", "follow_ups")}
        counts = Path(folder, "counts")
        rewrite_prompts.main(
            prompts=str(PROMPTS), sources=sources, seed=2503, counts=str(counts), **made
        )
        names, numbers = (line.split(",") for line in counts.read_text("utf-8").splitlines())
    sums = dict(zip(names, map(int, numbers), strict=True))
    return sums, time.monotonic() - started


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=int, default=4700, help="source prompts")
    main(**vars(parser.parse_args()))
