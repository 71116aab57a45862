"""Files from outside: each is checked before it is believed."""
