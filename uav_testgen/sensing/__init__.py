"""What the camera sees: camera model, two renderers of one cloud, noise. Start with `base`."""
