"""What happened: the flight record and trajectory arithmetic. Start with `model`."""
