"""What obstacles are made of: box, cylinder, sphere, mesh.

Each shape's module holds all that is particular to it: which sizes it has, distance, outline and surface; its
formulas for flights are in the file of the same name in `compiled`. Everything else (rules, kernels, renderers,
pictures, markers, files) asks `forms` in Python or `compiled.choose` in kernels; both know every kind and refuse any
other. Start with `base`, then `box`.
"""

from uav_testgen.shape.forms import FORMS
from uav_testgen.shape.kinds import Shape

__all__ = ["FORMS", "Shape"]
