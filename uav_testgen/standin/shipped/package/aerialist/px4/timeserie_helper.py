"""Series of numbers. Python 3.8."""


def normalize(data):
    """Columns scaled to the range 0 to 1."""
    span = data.max(axis=0) - data.min(axis=0)
    span[span == 0] = 1.0
    return (data - data.min(axis=0)) / span
