"""First on the Python path of the started program."""
