"""Run the real program against a Discord on loopback: `python -m tests.wire.run_bot PORT ARGUMENTS...`."""

import sys

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.__main__ import main

if __name__ == "__main__":
    port = sys.argv[1]
    Route.BASE = f"http://127.0.0.1:{port}/api"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/gateway/")
    sys.exit(main(sys.argv[2:]))
