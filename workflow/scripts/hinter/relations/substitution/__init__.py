"""Relations that substitute sensitive attributes."""
