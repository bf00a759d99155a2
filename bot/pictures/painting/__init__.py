"""Turns pages into PNG: the letters fonts have, the fonts of a text, the pixels."""
