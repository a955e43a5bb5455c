"""Answers of `--json`: one pydantic model per command."""
