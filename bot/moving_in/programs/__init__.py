"""Readers of other programs' files, one file each; the table of all readers is in `bot/moving_in/read_file.py`."""
