"""Logical scenarios: situations described by category, and the concrete scenes they stand for."""
