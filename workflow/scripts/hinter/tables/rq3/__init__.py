"""Tables on RQ3: how well the invariant works."""
