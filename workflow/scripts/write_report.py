"""Write Snakemake's report of the study."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hinter.job import logged_to


def main(*, snakefile: str, config: dict[str, Any], report: str) -> None:
    """Let Snakemake collect captions, tables and figures of a study with `config` in `report`."""
    with TemporaryDirectory() as scratch:
        configfile = Path(scratch, "config.yaml")
        configfile.write_text(yaml.safe_dump(config), encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile]
        command += ["--configfile", str(configfile), "--report", report]
        # The run that this job belongs to holds the lock.
        command += ["--nolock", "--workflow-profile", "none"]
        subprocess.run(command, check=True, stdout=sys.stdout, stderr=sys.stderr)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.params.settings, report=snakemake.output[0])
