"""Tables on RQ4: intersectional bias compared with atomic bias."""
