"""The run, described for programs: a Workflow Run RO-Crate, with an archive of the workflow."""

from .software import pinned_software, write_archive
from .writing import Run, write_crate
