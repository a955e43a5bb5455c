"""Optimisation algorithms on the unit cube, behind ask/tell. Start with `base`; names are in `registry`.

A generator owns what a vector means (its search space) and what is good (its objectives); an
algorithm only sees numbers in 0..1. So every algorithm works with every search space.
"""
