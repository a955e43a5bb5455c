"""Where the studio listens, and under which names it answers."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.errors import ConfigError
from uav_testgen.view.studio import assets
from uav_testgen.view.studio.serve import host_names, is_loopback, open_socket


def test_names_of_the_loopback_address() -> None:
    assert host_names("127.0.0.1", 8765) == ["127.0.0.1:8765", "[::1]:8765", "localhost:8765"]
    assert host_names("192.0.2.7", 80) == ["192.0.2.7:80", "192.0.2.7"]
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "192.0.2.7", "evil.example")] == [
        True, True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("host", ["0.0.0.0", "0", "0x0", "::", "::0", "", "no.such.host.invalid"])
def test_addresses_that_cannot_be_guarded_are_refused(host: str) -> None:
    with pytest.raises(ConfigError):
        open_socket(host, 0)


def test_wrong_places_are_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("uvicorn", reason="the extra studio is not installed")
    file = tmp_path / "file"
    file.write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for words in (
            [str(tmp_path), "--port", port],
            [str(file), "--port", "0"],
            [str(tmp_path), "--port", "99999"],
        ):
            assert main(["studio", *words, "--no-browser"]) == 2
            (line,) = capsys.readouterr().err.splitlines()
            assert line.startswith("uav-testgen: ")


def test_the_page_shares_the_components_of_the_report_and_loads_nothing() -> None:
    script, page = assets.script(), assets.page()
    for name in assets.SHARED:
        assert (Path(assets.__file__).parents[1] / "page" / name).read_text(encoding="utf-8") in script
    assert (
        "http://" not in page and "https://" not in page and " style=" not in page and "onclick" not in page
    )
    for unsafe in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert unsafe not in script
