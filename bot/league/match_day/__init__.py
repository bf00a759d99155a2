"""The day of a match: agreed times, first choice, round length, time called (docs/formats/shared.md)."""
