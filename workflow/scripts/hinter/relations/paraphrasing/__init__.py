"""Relations that say the same in other words."""
