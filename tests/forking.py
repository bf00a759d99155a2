"""Processes without their imports: each is forked from one that has imported everything."""

import multiprocessing

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.wire.driven"])
