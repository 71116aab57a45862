"""Meganeura."""
