from __future__ import annotations

from .core import perform


class IfCondition:
    def __init__(self, predicate_expression):
        self._expression = predicate_expression

    def evaluate(self, context):
        text = perform(self._expression, context).strip().lower()
        if text not in ("true", "false", "1", "0"):
            raise ValueError(f"expected a boolean, got '{text}'")
        return text in ("true", "1")
