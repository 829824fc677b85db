"""A machine-readable description of the run: a Workflow Run RO-Crate with the workflow's code."""

from .software import pinned_software, write_archive
from .writing import Run, write_crate
