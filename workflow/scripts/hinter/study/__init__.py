"""The study that a configuration describes: what is run on what, where its files are, all checked.

Each class adds to the one before it: `Sheets` what is read, `Runs` which models are run on what,
`Files` where everything is, `Study` what rules tell their jobs.
"""

from .checks import check_file
from .disks import check_writable, warnings_of_locks
from .sheets import REGISTRY
from .study import Study
