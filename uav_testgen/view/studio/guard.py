"""Who may talk to the studio: only pages it served itself, on the names it listens on, with its token.

A page of another site that the user happens to have open can send requests to the loopback address. The Host check
stops names that resolve to it (DNS rebinding), the Origin check stops foreign pages (WebSockets included), and the
token stops everybody else on this machine.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from uav_testgen.core.errors import StoreError

TOKEN_FILE = "token"
TOKEN_BYTES = 24
MOST_BODY_BYTES = 2 * 1024 * 1024
MOST_UPLOAD_BYTES = 128 * 1024 * 1024
UPLOAD = "/api/upload"
"""Flight logs and recorded flights are large; this route alone takes as much, and writes it to the disk as it comes."""
PUBLIC = ("/studio.js", "/studio.css", "/favicon.svg")
"""Files without anything personal; everything else needs the token."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def folder_token(state_folder: Path) -> str:
    """The token of a folder, made at the first start and kept, so that a page survives a restarted server."""
    path = state_folder / TOKEN_FILE
    if state_folder.is_symlink():
        raise StoreError(f"{state_folder}: is a link; remove it, then start the studio again")
    try:
        state_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours_alone(path):
            kept = path.read_text(encoding="ascii", errors="replace").strip()
            if len(kept) >= TOKEN_BYTES and kept.isascii():
                return kept
        token = secrets.token_urlsafe(TOKEN_BYTES)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(token)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}); choose another folder") from None
    return token


def _is_ours_alone(path: Path) -> bool:
    """A regular file of this user that nobody else can read: another one's token is known to others."""
    if not os.path.lexists(path):
        return False
    found = path.lstat()
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def ticket_for(token: str, path: str) -> str:
    """What opens one file without giving the token away."""
    return hmac.new(token.encode(), path.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()[:32]


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: Any, token: str, hosts: Iterable[str]) -> None:
        self._app, self._token = app, token
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse, or pass on with the headers every answer has."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if scope["type"] == "http":
            await self._app(scope, _limited(receive, most_bytes(scope["path"])), _with_headers(send))
            return
        await self._app(scope, receive, send)

    def _refusal(self, scope: Any) -> tuple[int, str] | None:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        if headers.get("host", "").lower() not in self._hosts:
            return 421, "This address does not belong to the studio; use the one it printed at its start."
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._origins:
            return 403, "Pages of other sites may not use the studio."
        path = scope["path"]
        length, most = headers.get("content-length", "0"), most_bytes(path)
        if not length.isdigit() or int(length) > most:
            return 413, f"At most {most} bytes are accepted."
        if path in PUBLIC or path.startswith("/file/"):
            return None
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        given = headers.get("x-studio-token") or query.get("token", [""])[0]
        if not secrets.compare_digest(given.encode("utf-8", "replace"), self._token.encode()):
            return 403, "The token is missing or wrong; open the address the studio printed at its start."
        return None


async def _refuse(scope: Any, send: Any, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence[:120]})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode() + b"\n"})


def _with_headers(send: Any) -> Any:
    async def wrapped(message: Any) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", [])}
            message["headers"] = [
                *message.get("headers", []),
                *(
                    (name.encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.encode() not in own
                ),
            ]
        await send(message)

    return wrapped


def most_bytes(path: str) -> int:
    """How large a request to this path may be."""
    return MOST_UPLOAD_BYTES if path == UPLOAD else MOST_BODY_BYTES


def _limited(receive: Any, most: int) -> Any:
    """Bodies without a length are counted while they come in."""
    seen = 0

    async def wrapped() -> Any:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > most else message

    return wrapped
