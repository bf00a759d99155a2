"""Read tables, one row a match or one row a person, from text and spreadsheets."""
