"""Score the grammar of one shard of the sampled texts."""

import logging
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from hinter.grammar import GrammarChecker, LanguageToolServer, Server, write_scores
from hinter.job import run_job
from hinter.responses import ResponseStore, SuiteShard


def main(
    *,
    corpus: str,
    sample: str,
    server: str | None,
    categories: list[str],
    left_out: list[str],
    store: str,
    scores: str,
    languagetool: str | None = None,
    **part: Any,
) -> None:
    """Write the scores of originals and mutants, by the given server or by one that is started.

    The `part` of the texts is an argument of `SuiteShard`.
    """
    inputs = SuiteShard(corpus=Path(corpus), suite=Path(sample), discarded=True, **part)
    ours = LanguageToolServer(Path(languagetool)) if languagetool else None
    with ours or nullcontext(Server(str(server))) as opened:
        checker = GrammarChecker(opened, left_out=left_out)
        responses = ResponseStore(Path(store), fingerprint=checker.fingerprint)
        logging.info("%s: %d texts", checker.release, len(inputs))
        write_scores(
            checker, inputs=inputs, categories=categories, store=responses, scores=Path(scores)
        )


if __name__ == "__main__":
    run_job(main, snakemake)
