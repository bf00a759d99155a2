"""Fairpair, a Discord bot that runs online leagues in seasons with pairings anyone can check."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 (said here, because what follows can't even be read by older ones)
    sys.stderr.write("Fairpair needs Python 3.11 or newer; this is Python %s.\n" % sys.version.split()[0])  # noqa: UP031
    sys.exit(2)
