"""Markers for rviz2 and Foxglove."""
