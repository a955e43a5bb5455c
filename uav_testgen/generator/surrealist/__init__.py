"""Surrealist (Khatiri et al.): an adaptive greedy search in the neighbourhood of a test. Start with `greedy`."""
