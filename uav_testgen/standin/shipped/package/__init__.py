"""Last on the Python path of the started program: used where no Aerialist is installed."""
