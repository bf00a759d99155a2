"""What counts, and in which order: draw, records, meetings, ratings, standings (docs/formats/shared.md)."""
