"""Processes without their imports: each is forked from one that has imported everything, where the system can fork."""

import multiprocessing

CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
FORKING = multiprocessing.get_context("forkserver" if CAN_FORK else "spawn")
if CAN_FORK:
    FORKING.set_forkserver_preload(["tests.wire.driven"])
