"""PX4 flight logs: `reader.read_log(path)`. A folder of its own: no compiled code here."""
