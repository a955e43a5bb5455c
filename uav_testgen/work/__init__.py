"""Processes that do the work: executors, their workers, the store that survives them, the wish to stop."""
