"""Relations that shuffle where things are told."""
