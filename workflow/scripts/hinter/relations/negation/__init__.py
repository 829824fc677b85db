"""Relations that negate sensitive attributes."""
