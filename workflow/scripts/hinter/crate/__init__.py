"""A machine-readable description of the run: a Workflow Run RO-Crate with the workflow's code."""

from .writing import Run, pinned_software, write_archive, write_crate
