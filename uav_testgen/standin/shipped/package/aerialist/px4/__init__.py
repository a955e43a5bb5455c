"""Tests, obstacles, trajectories and agents."""
