"""The node graph as data: which nodes, which parameters, which processes. No ROS import."""
