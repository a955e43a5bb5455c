"""Generators against each other: the same cases, seeds and budgets for all, one artefact with everything."""
