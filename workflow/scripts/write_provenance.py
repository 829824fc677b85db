"""Write Snakemake's report of the study, and the configuration that it was made with."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hinter.job import logged_to

# Docutils renders captions; names in the configuration must not make it read files or write HTML.
SAFE_CAPTIONS = "[general]\nraw_enabled: no\nfile_insertion_enabled: no\n"
# The variables that hold the report's data as JSON, in their order.
VARIABLES = (
    *("workflow_desc", "results", "categories", "rulegraph_spec", "runtimes_spec"),
    *("timeline_spec", "rules", "packages", "metadata"),
)


def main(*, snakefile: str, config: dict[str, Any], report: str, settings: str) -> None:
    """Have Snakemake write the report of a study with `config` to `report`.

    The configuration itself is written to `settings`: where it stands, the study is finished.
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
    told = json.dumps(config, indent=2, ensure_ascii=False)
    Path(settings).write_text(f"{told}\n", encoding="utf-8")


def inert(page: str) -> str:
    """Return the report without `<` in its data, where `</script>` would end the script."""
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
        main(**snakemake.params.settings, **dict(snakemake.output.items()))
