"""Relations that permute what is told of a person."""
