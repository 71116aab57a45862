"""Equality saturation: which of many equal programs runs, and what of it is stored."""
