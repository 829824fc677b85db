"""Tables on RQ4: intersectional against atomic bias."""
