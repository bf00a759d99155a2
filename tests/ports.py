"""A port for a server that has to know its own beforehand."""

import socket


def reserved_port() -> int:
    """Return a port the system gives to no one else for a minute: a connection that was closed there is remembered."""
    with socket.socket() as server, socket.socket() as client:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do: the next may have it
        server.bind(("127.0.0.1", 0))
        server.listen(1)
        client.connect(server.getsockname())
        accepted, _ = server.accept()
        accepted.close()
        return int(server.getsockname()[1])
