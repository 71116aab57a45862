"""Archetypes: what a kernel computes, as frozen data. No loops, no text."""
