"""An Aerialist whose simulations are answered by `uav-testgen as-aerialist`: the published names, own code."""
