"""Write Snakemake's report of the study, and the configuration of the study."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hinter.job import run_job
from hinter.provenance import inert

# Docutils renders captions; names in the configuration must not make it read files or write HTML.
SAFE_CAPTIONS = "[general]\nraw_enabled: no\nfile_insertion_enabled: no\n"


def main(*, snakefile: str, config: dict[str, Any], report: str, settings: str) -> None:
    """Have Snakemake write the report of a study with `config` to `report`.

    The configuration itself is written to `settings`. If that file exists, the study is finished.
    """
    with TemporaryDirectory() as scratch:
        configfile, captions = Path(scratch, "config.yaml"), Path(scratch, "docutils.conf")
        configfile.write_text(yaml.safe_dump(config), encoding="utf-8")
        captions.write_text(SAFE_CAPTIONS, encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile]
        command += ["--configfile", str(configfile), "--report", report]
        # The lock is held by the run that this job belongs to.
        command += ["--nolock", "--workflow-profile", "none"]
        environment = os.environ | {"DOCUTILSCONFIG": str(captions)}
        subprocess.run(command, check=True, stdout=sys.stdout, stderr=sys.stderr, env=environment)
    page = Path(report).read_text(encoding="utf-8")
    Path(report).write_text(inert(page), encoding="utf-8")
    document = json.dumps(config, indent=2, ensure_ascii=False)
    Path(settings).write_text(f"{document}\n", encoding="utf-8")


if __name__ == "__main__":
    run_job(main, snakemake)
