"""Only the studio's own pages, with its token, get through."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.core.errors import StoreError
from uav_testgen.view.studio.guard import MOST_BODY_BYTES, POLICY, Guard, folder_token, ticket_for

TOKEN = "t" * 32
HOST = "127.0.0.1:8765"


def ask(
    path: str = "/api/files",
    kind: str = "http",
    query: str = f"token={TOKEN}",
    body: bytes = b"",
    **headers: str,
) -> list[dict[str, Any]]:
    """What the guard lets through and answers; the application behind it answers 200."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if kind == "websocket":
            await send({"type": "websocket.accept"})
            return
        message = await receive()
        status = 499 if message["type"] == "http.disconnect" else 200
        await send({"type": "http.response.start", "status": status, "headers": []})

    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    given = {"host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": kind, "path": path, "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }  # fmt: skip
    asyncio.run(Guard(app, TOKEN, [HOST, "localhost:8765"])(scope, receive, send))
    return sent


def status(sent: list[dict[str, Any]]) -> int:
    return int(sent[0]["status"])


def test_the_own_page_gets_through_with_strict_headers() -> None:
    sent = ask(origin=f"http://{HOST}")
    assert status(sent) == 200
    headers = dict(sent[0]["headers"])
    assert headers[b"content-security-policy"].decode() == POLICY
    assert "unsafe" not in POLICY
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"no-referrer"
    assert status(ask(query="", x_studio_token=TOKEN)) == 200


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"query": ""}, 403),
        ({"query": "token=wrong"}, 403),
        ({"query": "token=%ff%fe"}, 403),
        ({"host": "evil.example:8765"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://127.0.0.1:8765"}, 403),
        ({"content_length": str(MOST_BODY_BYTES + 1)}, 413),
        ({"content_length": "-1"}, 413),
        ({"body": b"x" * (MOST_BODY_BYTES + 1)}, 499),
    ],
)
def test_everybody_else_is_refused(changes: dict[str, Any], expected: int) -> None:
    assert status(ask(**changes)) == expected


def test_foreign_pages_cannot_open_a_websocket() -> None:
    assert ask("/live", "websocket", origin=f"http://{HOST}")[0]["type"] == "websocket.accept"
    for changes in ({"origin": "http://evil.example"}, {"query": ""}, {"host": "evil.example"}):
        assert ask("/live", "websocket", **changes)[0]["type"] == "websocket.close", changes


def test_scripts_need_no_token_but_the_right_host() -> None:
    assert status(ask("/studio.js", query="")) == 200
    assert status(ask("/studio.js", query="", host="evil.example")) == 421


def test_the_token_of_a_folder_is_kept_and_private(tmp_path: Path) -> None:
    token = folder_token(tmp_path / ".studio")
    assert folder_token(tmp_path / ".studio") == token
    assert len(token) >= 32
    assert (tmp_path / ".studio" / "token").stat().st_mode & 0o077 == 0
    assert ticket_for(token, "a/report.html") != ticket_for(token, "b/report.html")


@pytest.mark.parametrize("how", ["others can read it", "a link"])
def test_a_token_that_somebody_else_may_know_is_replaced(how: str, tmp_path: Path) -> None:
    state, known = tmp_path / ".studio", "k" * 40
    state.mkdir()
    if how == "a link":
        (tmp_path / "elsewhere").write_text(known)
        (tmp_path / "elsewhere").chmod(0o600)
        (state / "token").symlink_to(tmp_path / "elsewhere")
    else:
        (state / "token").write_text(known)
        (state / "token").chmod(0o644)
    token = folder_token(state)
    assert token != known and folder_token(state) == token
    assert (state / "token").stat().st_mode & 0o077 == 0
    assert how != "a link" or (tmp_path / "elsewhere").read_text() == known


def test_a_state_folder_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".studio").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="is a link"):
        folder_token(tmp_path / ".studio")
    assert not list((tmp_path / "elsewhere").iterdir())
