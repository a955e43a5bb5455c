"""PX4 in offboard mode as a vehicle: set-points go straight to its position controller."""
