"""Columns of a packed obstacle that describe its body; `world.layout` adds its motion.

====== =============== ========================================================
column name            meaning
====== =============== ========================================================
0      SHAPE           0 box, 1 vertical cylinder, 2 sphere, 3 mesh
1–3    CX CY CZ        centre, ENU [m]
4–6    HX HY HZ        half sizes along the obstacle's own axes [m]; the radius
                       of a cylinder or sphere is HX
7–8    COS_YAW SIN_YAW rotation about the vertical
16     FORM            of a mesh: the column with the number of its triangles;
                       nine columns per triangle follow it: three corners in
                       the obstacle's own axes about its centre [m]. Else 0
====== =============== ========================================================
"""

from __future__ import annotations

SHAPE, CX, CY, CZ, HX, HY, HZ, COS_YAW, SIN_YAW = range(9)
FORM = 16
TRIANGLE_COLUMNS = 9
