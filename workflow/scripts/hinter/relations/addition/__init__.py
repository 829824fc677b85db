"""Relations that add sensitive attributes."""
