"""Wrong configuration files: the message names the file, the field, the rule and the way out."""

from pathlib import Path

import pytest
from pydantic import Field

from uav_testgen.config import MAX_INPUT_BYTES, RoomConfig, load_config, read_yaml
from uav_testgen.errors import ConfigError, InputFileError


class Inner(RoomConfig):
    gain: float = Field(default=1.0, ge=0.0, le=10.0, description="gain")


class Sample(RoomConfig):
    speed_mps: float = Field(default=3.0, gt=0.0, description="speed [m/s]")
    inner: Inner = Inner()
    items: tuple[Inner, ...] = ()


def write(folder: Path, text: str) -> Path:
    path = folder / "sample.yaml"
    path.write_text(text)
    return path


def test_reads_values_and_defaults(tmp_path: Path) -> None:
    config = load_config(Sample, write(tmp_path, "speed_mps: 2\ninner: {gain: 4}"))
    assert (config.speed_mps, config.inner.gain) == (2.0, 4.0)
    assert load_config(Sample, write(tmp_path, "")) == Sample()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sped_mps: 2", ["sample.yaml", "sped_mps", "did you mean 'speed_mps'"]),
        ("speed_mps: -1", ["speed_mps", "greater than 0", "-1"]),
        ("speed_mps: fast", ["speed_mps", "number", "fast"]),
        ("speed_mps: .nan", ["speed_mps", "finite"]),
        ("inner: {gian: 1}", ["inner.gian", "did you mean 'gain'"]),
        ("items: [{gian: 1}]", ["items.0.gian", "did you mean 'gain'"]),
        ("inner: {gain: 11}", ["inner.gain", "less than or equal to 10"]),
        ("- 1\n- 2", ["mapping", "list"]),
    ],
)
def test_messages(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(Sample, write(tmp_path, text))
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1, 2", ["line", "not valid YAML"]),
        ("a: &x 1\nb: *x", ["aliases"]),
        ("a: " + "[" * 60 + "]" * 60, ["nested deeper"]),
        ("a: 1\na: 2", ["'a'", "twice"]),
        ("a: !!python/object/apply:os.system ['true']", ["not valid YAML"]),
    ],
)
def test_unreadable_yaml(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(InputFileError) as caught:
        read_yaml(write(tmp_path, text))
    for word in ["sample.yaml", *words]:
        assert word in str(caught.value)


def test_missing_file_suggests_neighbour(tmp_path: Path) -> None:
    write(tmp_path, "")
    with pytest.raises(InputFileError, match=r"did you mean 'sample.yaml'"):
        read_yaml(tmp_path / "sampel.yaml")


def test_folder_huge_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="is a folder"):
        read_yaml(tmp_path)
    huge = tmp_path / "huge.yaml"
    with huge.open("wb") as file:
        file.truncate(MAX_INPUT_BYTES + 1)
    with pytest.raises(InputFileError, match="at most"):
        read_yaml(huge)
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputFileError, match="UTF-8"):
        read_yaml(binary)


def test_deep_json_is_an_error_not_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(InputFileError, match=r"deep\.json"):
        read_yaml(path)
