"""The only room that knows ROS: conversions, parameters, names, nodes, backends, live PX4."""
