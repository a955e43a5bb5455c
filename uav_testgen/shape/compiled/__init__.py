"""The formulas of the shapes as kernels: each file mirrors the one of its name above, read that first.

`choose` is what other rooms call: it knows every kind and refuses any other.
"""
