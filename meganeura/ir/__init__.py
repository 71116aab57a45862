"""The graph: types, ops' contract, nodes, text form, and its meaning in NumPy."""
