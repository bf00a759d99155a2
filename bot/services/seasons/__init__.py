"""The life of a season, what it shows, and careers over the seasons."""
