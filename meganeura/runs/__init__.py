"""Runs: what `meganeura train` does, and the folder in which it keeps everything."""
