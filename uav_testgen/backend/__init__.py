"""Who flies it: the low-fidelity simulator, recorded flights, and (by name) the ROS backends."""
