"""Tables on RQ3: what the invariant is worth."""
