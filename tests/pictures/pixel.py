"""A picture of one point, for tests in which nothing need be painted."""

from pathlib import Path

PIXEL = Path(__file__).with_name("pixel.png").read_bytes()
