"""Count the posts of SBIC's groups."""

import logging
from pathlib import Path

from hinter.dictionary import count_posts, split_files, write_csv
from hinter.job import run_job


def main(*, sources: list[str], posts: str) -> None:
    """Write category, group and number of posts, sorted, to the CSV `posts`.

    `sources` are SBIC's aggregated CSV files, or folders of them.
    """
    places = map(Path, sources)
    files = [
        file for place in places for file in (split_files(place) if place.is_dir() else [place])
    ]
    counts = count_posts(files)
    write_csv(
        (
            {"category": category, "group": group, "posts": count}
            for (category, group), count in sorted(counts.items())
        ),
        Path(posts),
    )
    logging.info("counted %d groups in %d files", len(counts), len(files))


if __name__ == "__main__":
    run_job(main, snakemake)
