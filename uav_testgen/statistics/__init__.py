"""How sure, with SciPy inside: `intervals` of shares, `bootstrap` intervals of anything, two `samples` against each
other (tests and effect sizes), `agreement` of predicted and measured numbers."""
