"""Relations that remove sensitive attributes."""
