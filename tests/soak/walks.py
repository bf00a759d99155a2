"""Seasons by chance against a model, for an hour."""

import os
import subprocess
import sys

MINUTES = os.environ.get("SOAK_MINUTES", "60")


def soak() -> bool:
    """Walk in a process of its own, which prints what it did; return whether nothing was found."""
    return subprocess.run([sys.executable, "-m", "tests.model", "--minutes", MINUTES], check=False).returncode == 0
