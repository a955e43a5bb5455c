"""The template of the command backend: a line of words, in which names in braces stand for files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

INPUTS = {"world": ".world", "plan": ".plan", "scene": ".yaml"}
"""What a simulator may be given, and how the file's name ends."""
_KNOWN = (*INPUTS, "out", "seed")
_NAME = re.compile(r"\{([^{}]*)\}")


def split_template(text: str) -> list[str]:
    """The words of a template, names in braces untouched; ValueError says what is wrong with it."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"a quotation mark has no partner ({error})") from None
    named = {name for word in words for name in _NAME.findall(word)}
    unknown = sorted(named - set(_KNOWN))
    if unknown:
        raise ValueError(
            f"{{{unknown[0][:40]}}} is unknown; known are {', '.join(f'{{{n}}}' for n in _KNOWN)}"
        )
    if "out" not in named or not named & set(INPUTS):
        raise ValueError(
            "it must name {out}, where the simulator leaves its answer, and one of {world}, {plan}, {scene}"
        )
    if _NAME.search(words[0]):
        raise ValueError("it begins with a program, not with a file")
    return words


def filled(template: Sequence[str], values: Mapping[str, object]) -> list[str]:
    """The words to start; no shell sees them, so no name can do anything but be a name."""
    return [_NAME.sub(lambda match: str(values[match[1]]), word) for word in template]
