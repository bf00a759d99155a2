"""The queries of each group of tables."""
