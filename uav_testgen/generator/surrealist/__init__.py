"""Surrealist (paper 004): an adaptive greedy search in the neighbourhood of a test. Start with `greedy`."""
