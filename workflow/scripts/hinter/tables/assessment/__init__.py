"""Tables of the answers of people who read mutants."""
