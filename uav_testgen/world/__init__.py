"""Where it happens: obstacles at time t, ground, wind, exact distances. Start with `packed`."""
