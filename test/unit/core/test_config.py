"""Wrong configuration files: the message names the file, the field, the rule and the way out."""

from pathlib import Path

import pytest
from pydantic import Field, ValidationError, field_validator, model_validator

from uav_testgen.core.config import (
    MAX_INPUT_BYTES,
    RoomConfig,
    in_one_line,
    load_config,
    read_value,
    read_yaml,
)
from uav_testgen.core.errors import ConfigError, InputFileError


class Inner(RoomConfig):
    gain: float = Field(default=1.0, ge=0.0, le=10.0, description="gain")


class Sample(RoomConfig):
    speed_mps: float = Field(default=3.0, gt=0.0, description="speed [m/s]")
    inner: Inner = Inner()
    items: tuple[Inner, ...] = ()


class Door(RoomConfig):
    width_m: float = Field(description="width [m]")
    height_m: float = Field(description="height [m]")

    @field_validator("width_m")
    @classmethod
    def _wide(cls, value: float) -> float:
        if value < 0.5:
            raise ValueError("nobody fits through")
        return value

    @model_validator(mode="after")
    def _upright(self) -> "Door":
        if self.width_m > self.height_m:
            raise ValueError("a door is higher than wide")
        return self


class House(RoomConfig):
    door: Door


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
    ("text", "sentence"),
    [
        ("speed: 1", "unknown key 'speed', did you mean 'speed_mps'?"),
        ("xyz: 1", "unknown key 'xyz'; known: inner, items, speed_mps"),
    ],
)
def test_an_unknown_key_is_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(Sample, path)
    assert str(caught.value) == f"{path}: {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("door: {width_m: 1}", "door.height_m: is required, but missing"),
        ("", "door: is required, but missing"),
        ("door: {width_m: 3, height_m: 2}", "door: a door is higher than wide"),
        ("door: {width_m: 0.1, height_m: 2}", "door.width_m: nobody fits through (got 0.1)"),
    ],
)
def test_own_rules_are_said_in_their_own_words(tmp_path: Path, text: str, sentence: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(House, path)
    assert str(caught.value) == f"{path}: {sentence}"


def test_a_rule_about_the_whole_file_follows_its_name(tmp_path: Path) -> None:
    path = write(tmp_path, "{width_m: 3, height_m: 2}")
    with pytest.raises(ConfigError) as caught:
        load_config(Door, path)
    assert str(caught.value) == f"{path}: a door is higher than wide"


def test_errors_in_one_line() -> None:
    with pytest.raises(ValidationError) as caught:
        House.model_validate({"door": {"width_m": 3, "height_m": 2}, "roof": 1})
    assert in_one_line(caught.value) == "door: a door is higher than wide; unknown key 'roof'"
    assert in_one_line(ValueError("as it is")) == "as it is"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1, 2", ["line", "not valid YAML"]),
        ("a: &x 1\nb: *x", ["aliases"]),
        ("a: " + "[" * 60 + "]" * 60, ["nested deeper"]),
        ("a: 1\na: 2", ["'a'", "duplicate"]),
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


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000 + "y.yaml", "no\0file.yaml"])
def test_a_path_that_cannot_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputFileError):
        read_yaml(tmp_path / name)


def test_repeated_keys_are_found_without_comparing_all_with_all(tmp_path: Path) -> None:
    """Every key is looked up once; counted, not timed."""

    class Counted(str):
        compared = 0

        def __hash__(self) -> int:
            return super().__hash__()

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return super().__eq__(other)

    from uav_testgen.core.config import _unique_keys

    pairs = [(Counted(f"k{number}"), number) for number in range(2000)]
    with pytest.raises(ValueError, match="duplicate key 'k1999'"):
        _unique_keys([*pairs, (Counted("k1999"), 0)])
    assert Counted.compared < 10 * len(pairs)


@pytest.mark.parametrize(
    ("text", "word"),
    [(":".join(["59"] * 300) + ".5", "number"), ("2026-13-45", "date")],
    ids=["overflow", "date"],
)
def test_what_only_looks_like_a_number_is_named_with_its_line(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(f"name: wall\nseed: {text}\n")
    with pytest.raises(
        InputFileError, match=rf"scene.yaml: line 2, column 7: .*is not a {word} that can be used"
    ):
        read_yaml(path)
    with pytest.raises(ValueError, match=f"is not a {word} that can be used; put a text in quotes"):
        read_value(text)


def test_numbers_to_the_base_of_60_and_dates_are_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text("a: 1:30\nb: 1:30.5\nc: 2026-01-02\nd: 7\ne: 1.5\n")
    read = read_yaml(path)
    assert (read["a"], read["b"], str(read["c"]), read["d"], read["e"]) == (90, 90.5, "2026-01-02", 7, 1.5)


def test_an_equal_ending_makes_no_files_alike(tmp_path: Path) -> None:
    (tmp_path / "t8.yaml").write_text("")
    (tmp_path / "noting").mkdir()
    for name in ("nothing.yaml", "nothing"):
        with pytest.raises(InputFileError) as refused:
            read_yaml(tmp_path / name)
        assert str(refused.value).endswith("no such file")
