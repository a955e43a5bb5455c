"""Text from files and names, made fit for one line on somebody's terminal."""

from __future__ import annotations

LONGEST_LINE = 1000
_GAP = " [...] "


def printable(text: str) -> str:
    """Without anything a terminal would obey or hide: such characters become escapes like \\x1b."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A single printable line. What is too long loses its middle: the place is at the beginning, the way out
    at the end."""
    if len(text) > 2 * longest:  # escape only what can be seen
        text = text[:longest] + _GAP + text[-longest:]
    line = printable(text)
    if len(line) <= longest:
        return line
    tail = longest // 3
    return line[: longest - tail - len(_GAP)] + _GAP + line[-tail:]
