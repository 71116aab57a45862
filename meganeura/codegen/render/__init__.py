"""Loop IR as text of a target."""
