"""What people answer who read mutants."""
