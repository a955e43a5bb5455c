"""How sure, with SciPy inside: `intervals` of shares, `bootstrap` intervals of anything, two `samples` against each
other (tests and effect sizes), `repetitions` of one search, `agreement` of predicted and measured numbers."""
