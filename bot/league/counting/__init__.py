"""What counts, and in which order: draw, records, meetings, ratings, standings (docs/rules.md, 1 and 3)."""
