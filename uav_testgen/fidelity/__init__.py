"""How well does the simulator predict real flights? Records, metrics, calibration."""
