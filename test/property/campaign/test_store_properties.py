"""Whatever is appended and wherever the file is cut or damaged, nothing false is ever read back."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.core.errors import StoreError
from uav_testgen.work.store import FILE_NAME, Store

BODIES = st.dictionaries(
    st.text(max_size=8),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)  # fmt: skip


def written(folder: Path, bodies: list[dict]) -> bytes:  # type: ignore[type-arg]
    with Store(folder) as store:
        store.open()
        for body in bodies:
            store.append([("kind", body)])
    return (folder / FILE_NAME).read_bytes()


@settings(max_examples=60)
@given(st.lists(BODIES, max_size=6), st.data())
def test_a_file_cut_anywhere_gives_the_whole_records_before_the_cut(bodies, data) -> None:  # type: ignore[no-untyped-def]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = written(folder, bodies)
        cut = data.draw(st.integers(0, len(whole)))
        (folder / FILE_NAME).write_bytes(whole[:cut])
        with Store(folder) as store:
            records = store.open()
        assert [record.body for record in records] == bodies[: whole[:cut].count(b"\n")]


@settings(max_examples=60)
@given(st.lists(BODIES, min_size=1, max_size=6), st.data())
def test_a_changed_byte_is_never_believed(bodies, data) -> None:  # type: ignore[no-untyped-def]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = bytearray(written(folder, bodies))
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] ^= data.draw(st.integers(1, 255))
        (folder / FILE_NAME).write_bytes(bytes(whole))
        try:
            with Store(folder) as store:
                records = store.open()
        except StoreError:
            return
        assert [record.body for record in records] == bodies[: len(records)]
        assert len(records) < len(bodies), "the damaged record itself is not among them"
