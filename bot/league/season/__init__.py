"""What a season is: its model, its settings, and what names, lists, times and scores in it can be."""
