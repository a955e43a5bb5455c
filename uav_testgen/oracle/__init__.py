"""Was it safe: verdicts, distances, competition points. Start with `model`."""
