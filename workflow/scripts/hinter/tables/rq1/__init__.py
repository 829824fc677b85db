"""Tables on RQ1: how much intersectional and hidden bias models show."""
