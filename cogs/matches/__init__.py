"""A match and its round in words, as every card and post says them."""
