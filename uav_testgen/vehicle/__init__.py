"""How the drone moves: the paper's kinematic rule, the PX4-like model, and the mission they fly."""
