"""Tables on RQ2: whether mutants keep the grammar of their originals."""
