"""PX4 as a vehicle: flight task, controllers and airframe of a multicopter that follows set-points."""
