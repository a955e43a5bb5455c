"""What every room stands on: errors, frames, seeds, settings, files, shipped data, compiled-kernel cache."""
