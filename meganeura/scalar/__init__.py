"""The maths of one element: expressions, the operators there are, calculus, evaluation."""
