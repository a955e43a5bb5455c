"""Starts the studio's server on the loopback address and tells where it is."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from pathlib import Path

from uav_testgen.core.errors import ConfigError, InputFileError, MissingDependency
from uav_testgen.core.extras import way_to_get
from uav_testgen.core.processors import available_cores
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.guard import Guard, folder_token
from uav_testgen.view.studio.own_parts import OwnParts

MOST_WORKERS = 4


def open_socket(host: str, port: int) -> socket.socket:
    """A listening socket; ConfigError says why not."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{host}:{port}: cannot be listened on ({reason}); choose another --port") from None
    # Asked of the socket, because many names mean "all interfaces".
    if ipaddress.ip_address(made.getsockname()[0]).is_unspecified:
        made.close()
        raise ConfigError(f"--host '{host}': name one address; requests under any other name are refused")
    made.listen(64)
    return made


def host_names(host: str, port: int) -> list[str]:
    """Values of the Host header that belong to this server."""
    names = {f"[{host}]" if ":" in host else host}
    if is_loopback(host):
        names |= {"127.0.0.1", "localhost", "[::1]"}
    return [f"{name}:{port}" for name in sorted(names)] + (sorted(names) if port == 80 else [])


def is_loopback(host: str) -> bool:
    """Does this address stay on this machine?"""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    folder: Path, host: str, port: int, announce: Callable[[str], None], own: OwnParts | None = None
) -> None:
    """Serve until interrupted. `announce` gets the address to open, token included; `own` parts are in the menus."""
    try:
        import uvicorn

        from uav_testgen.view.studio.server import Studio
    except ImportError as error:
        raise MissingDependency(f"the studio needs {error.name}; {way_to_get(error.name)}") from None
    if folder.exists() and not folder.is_dir():
        raise InputFileError(f"{folder}: is a file; the studio works in a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFileError(f"{folder}: cannot be made ({error.strerror}); choose another folder") from None
    place = StudioFolder(folder)
    token = folder_token(place.state)
    listening = open_socket(host, port)
    port = listening.getsockname()[1]
    studio = Studio(place, token, max(1, min(MOST_WORKERS, available_cores())), own or OwnParts())
    app = Guard(studio.application(), token, host_names(host, port))
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, ws_max_size=2 * 1024 * 1024,
        timeout_graceful_shutdown=2, lifespan="on",
    )  # fmt: skip
    shown = f"[{host}]" if ":" in host else host
    announce(f"http://{shown}:{port}/?token={token}")

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """Requests that wait for a flight would keep the server from ending."""
            studio.pool.give_up()
            await super().shutdown(sockets)

    asyncio.run(Server(config).serve(sockets=[listening]))
