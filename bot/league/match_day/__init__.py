"""The day of a match: agreed times, first choice, round length, time called (docs/rules.md, 8 and 10)."""
