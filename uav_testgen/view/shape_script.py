"""What pages know about shapes, as a line of script made from the table of shapes."""

from __future__ import annotations

import json

from uav_testgen.shape.forms import FORMS


def shape_script() -> str:
    """`forms`: by shape its word, which extents each of its sizes sets, and whether it can be turned."""
    table = {
        shape.value: {"word": form.word.capitalize(), "sides": form.sides, "turns": form.turns}
        for shape, form in FORMS.items()
    }
    return f'"use strict";\nconst forms = {json.dumps(table)};'
