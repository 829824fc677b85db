"""Write Snakemake's report of the study."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hinter.job import logged_to

# What names of the configuration could ask of docutils, which renders captions.
SAFE_CAPTIONS = "[general]\nraw_enabled: no\nfile_insertion_enabled: no\n"
# Where the report keeps its data as JSON, in this order.
VARIABLES = (
    *("workflow_desc", "results", "categories", "rulegraph_spec", "runtimes_spec"),
    *("timeline_spec", "rules", "packages", "metadata"),
)


def main(*, snakefile: str, config: dict[str, Any], report: str) -> None:
    """Let Snakemake collect captions, tables and figures of a study with `config` in `report`."""
    with TemporaryDirectory() as scratch:
        configfile, captions = Path(scratch, "config.yaml"), Path(scratch, "docutils.conf")
        configfile.write_text(yaml.safe_dump(config), encoding="utf-8")
        captions.write_text(SAFE_CAPTIONS, encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile]
        command += ["--configfile", str(configfile), "--report", report]
        # The run that this job belongs to holds the lock.
        command += ["--nolock", "--workflow-profile", "none"]
        environment = os.environ | {"DOCUTILSCONFIG": str(captions)}
        subprocess.run(command, check=True, stdout=sys.stdout, stderr=sys.stderr, env=environment)
    page = Path(report).read_text(encoding="utf-8")
    Path(report).write_text(inert(page), encoding="utf-8")


def inert(page: str) -> str:
    """Return the report with no `<` in its data, where a `</script>` would end the script."""
    parts, end = [], 0
    for name in VARIABLES:
        mark = f"var {name} = "
        start = page.index(mark, end) + len(mark)
        parts.append(page[end:start])
        _, end = json.JSONDecoder().raw_decode(page, start)
        parts.append(page[start:end].replace("<", r"\u003c"))
    return "".join([*parts, page[end:]])


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.params.settings, report=snakemake.output[0])
