"""Readers of other programs' files, one file each; the table of all readers is in `bot/importers/read_file.py`."""
