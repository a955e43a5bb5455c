"""Scenario files of every kind: our own YAML, Aerialist tests, QGroundControl plans, shipped missions."""
