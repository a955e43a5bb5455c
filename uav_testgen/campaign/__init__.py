"""Many tests: the loop of asking, flying, judging and keeping, with resume."""
