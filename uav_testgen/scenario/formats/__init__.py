"""Scenario files of every kind: uav_testgen YAML, Aerialist tests, QGroundControl plans, shipped missions."""
