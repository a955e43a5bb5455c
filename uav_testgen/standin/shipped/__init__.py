"""Files for the started program, whose Python may be another one: standard library only, Python 3.8."""
