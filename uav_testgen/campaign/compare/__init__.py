"""Algorithms against each other: the same logical scenarios, several repetitions, one table."""
