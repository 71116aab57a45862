"""Every op, declared once: its attributes, shape rule, meaning and gradient, and the graph method
that emits it."""
