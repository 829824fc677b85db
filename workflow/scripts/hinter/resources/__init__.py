"""External resources: the entries of the registry, and how a resource is fetched."""

from .fetching import fetch_resource
from .registry import read_registry
