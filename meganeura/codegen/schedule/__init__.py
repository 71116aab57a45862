"""Which loops compute an archetype."""
