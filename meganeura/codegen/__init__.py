"""From archetypes to source: loop IR, schedules, renderers. Knows no graph."""
