"""Python runs this first where its folder is on the path: it kills jobs, and Snakemake with them.

The variable MOMENTS names a folder with a file per moment that is still to come, named like the
script that is killed (see `killing`).
"""

import os
import sys
from pathlib import Path

from killing import Killer

# Snakemake calls a script `something.name.py`.
script = Path(Path(sys.orig_argv[-1]).stem).suffix.removeprefix(".")
for moment in Path(os.environ["MOMENTS"]).iterdir():
    if moment.name == script:
        Killer(moment).watch()
