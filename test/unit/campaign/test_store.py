"""The store keeps what it acknowledged, finds every damage and says the way out."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from uav_testgen.core.errors import StoreError
from uav_testgen.work import store as store_module
from uav_testgen.work.store import FILE_NAME, Record, Store, decode, encode

pytestmark = pytest.mark.unit


def filled(folder: Path, count: int = 5) -> Path:
    with Store(folder) as store:
        store.open()
        for number in range(count):
            store.append([("evaluation", {"number": number, "text": "ä<>\n\u2028"})])
    return folder / FILE_NAME


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    filled(tmp_path)
    records = list(Store(tmp_path).read())
    assert [record.seq for record in records] == [0, 1, 2, 3, 4]
    assert [record.body["number"] for record in records] == [0, 1, 2, 3, 4]
    assert records[0].body["text"] == "ä<>\n\u2028"


def test_each_line_is_ordinary_json(tmp_path: Path) -> None:
    for line in filled(tmp_path).read_text().splitlines():
        assert set(json.loads(line)) == {"check", "record"}


def test_a_second_session_continues_the_numbers(tmp_path: Path) -> None:
    filled(tmp_path, 2)
    with Store(tmp_path) as store:
        assert len(store.open()) == 2
        store.append([("a", {}), ("b", {})])
    assert [record.seq for record in Store(tmp_path).read()] == [0, 1, 2, 3]


@pytest.mark.parametrize("cut", [1, 2, 10, 40])
def test_a_torn_last_line_is_cut_with_a_note_and_kept_aside(tmp_path: Path, cut: int) -> None:
    path = filled(tmp_path)
    whole = path.read_bytes()
    os.truncate(path, len(whole) - cut)
    with Store(tmp_path) as store:
        assert len(store.open()) == 4
        assert "line 5" in store.notes[0] and "flown again" in store.notes[0]
        store.append([("evaluation", {"number": 4})])
    assert (tmp_path / "evaluations.torn").read_bytes() == whole.splitlines(keepends=True)[4][:-cut]
    assert len(list(Store(tmp_path).read())) == 5


def test_zeros_at_the_end_are_a_torn_line(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with path.open("ab") as file:
        file.write(b"\x00" * 4096)
    with Store(tmp_path) as store:
        assert len(store.open()) == 5 and store.notes


def test_damage_in_the_middle_names_the_line_and_the_way_out(tmp_path: Path) -> None:
    path = filled(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"number":2', b'"number":9')
    path.write_bytes(b"".join(lines))
    with pytest.raises(StoreError, match=r"line 3 is damaged \(its checksum does not match\).*head -n 2"):
        Store(tmp_path).open()
    assert path.read_bytes() == b"".join(lines), "a damaged store is never changed"


def test_a_missing_line_is_noticed(tmp_path: Path) -> None:
    path = filled(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:1] + lines[2:]))
    with pytest.raises(StoreError, match=r"line 2 is damaged.*sequence number is 2 instead of 1"):
        Store(tmp_path).open()


def test_a_full_disk_leaves_only_whole_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path, 2)
    before = path.read_bytes()
    with Store(tmp_path) as store:
        store.open()

        def half_then_full(descriptor: int, data: bytes) -> None:
            os.write(descriptor, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(store_module, "_write_all", half_then_full)
        with pytest.raises(StoreError, match=r"the disk is full; 2 records before it are safe.*--resume"):
            store.append([("evaluation", {"number": 2})])
        assert path.read_bytes() == before
        monkeypatch.undo()
        store.append([("evaluation", {"number": 2})])
    assert len(list(Store(tmp_path).read())) == 3


def test_a_real_full_device_is_reported(tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full on this system")
    (tmp_path / FILE_NAME).symlink_to("/dev/full")
    store = Store(tmp_path)
    store._descriptor = os.open("/dev/full", os.O_WRONLY)
    with store, pytest.raises(StoreError, match="the disk is full"):
        store.append([("evaluation", {})])


def test_not_a_number_never_gets_into_the_store(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.open()
        with pytest.raises(ValueError):
            store.append([("evaluation", {"distance": float("nan")})])
    assert list(Store(tmp_path).read()) == []


def test_encode_and_decode_are_inverse() -> None:
    record = Record(7, "kind", {"a": [1, 2.5, None, "x"], "b": {"c": True}})
    assert decode(encode(record)) == record
