"""Models: each file a configuration, and the functions that build its graph."""
