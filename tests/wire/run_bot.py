"""Run the real program against a Discord on loopback: `python -m tests.wire.run_bot PORT ARGUMENTS...`.

Each process the bot starts imports the main module again, so nothing is imported here before the program runs.
"""

import sys

if __name__ == "__main__":
    from tests.wire.driven import run

    sys.exit(run(*sys.argv[1:]))
