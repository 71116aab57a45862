"""From a graph to a static plan: dispatches in order, over one arena."""
