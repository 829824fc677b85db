"""The registry of external resources: version, licence, sha256 and sources of each.

A lock lists files with their sha256 in the format of `sha256sum`: one line `<sha256>  <path>` each.
"""

import re
from collections.abc import Iterable
from functools import partial
