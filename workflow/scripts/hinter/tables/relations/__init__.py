"""Tables on metamorphic relations."""
