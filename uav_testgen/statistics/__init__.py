"""How sure: intervals, tests and effect sizes, with SciPy inside."""
