"""Python runs this first where its folder is on the path: Snakemake starts jobs as forks."""

import os
import sys

if "snakemake" in sys.orig_argv:
    sys.executable = os.environ["ASK_FORKS"]
