"""The border to a live PX4: its topics, its NED frame, its commands."""
