"""Tables of probes."""
