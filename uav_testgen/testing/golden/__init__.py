"""Replay of vectors recorded from the real planner: the proof that an implementation behaves like it."""
