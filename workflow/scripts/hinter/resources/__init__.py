"""External resources: what the registry says, and how a resource is fetched into its folder."""

from .fetching import fetch_resource
from .registry import read_registry
