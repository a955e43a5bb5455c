"""Columns of the packed obstacle rows and of the packed ground: the layout every kernel agrees on.

Obstacles are float64 rows so that a compiled function takes a whole scene as one array. What describes the
body (columns 0 to 8, and 16) is laid out in `shape.row`; its motion:

====== ============== =========================================================
column name           meaning
====== ============== =========================================================
9–11   TO_X TO_Y TO_Z centre at the far end of the motion [m]
12     SPEED          along the straight line [m/s]
13     START          time at which it begins to move [s]
14     MODE           0 static, 1 once, 2 back and forth, along a straight line;
                      3 once, 4 back and forth, along a polyline
15     LENGTH         way from the centre to `to` [m]
====== ============== =========================================================

A world in which some obstacle follows a polyline or is a mesh has wider rows: column 17 (LEGS) holds the number of
its legs, then come the end of each leg and the way to there, four columns per leg (x, y, z, way [m]), then the
triangles of a mesh (`shape.row`).

The ground is one float64 vector plus a height grid and a water mask (see `world.terrain`).
"""

from __future__ import annotations

from uav_testgen.shape.row import COS_YAW as COS_YAW
from uav_testgen.shape.row import CX as CX
from uav_testgen.shape.row import CY as CY
from uav_testgen.shape.row import CZ as CZ
from uav_testgen.shape.row import FORM as FORM
from uav_testgen.shape.row import HX as HX
from uav_testgen.shape.row import HY as HY
from uav_testgen.shape.row import HZ as HZ
from uav_testgen.shape.row import SHAPE as SHAPE
from uav_testgen.shape.row import SIN_YAW as SIN_YAW

OBSTACLE_COLUMNS = 17
TO_X, TO_Y, TO_Z, SPEED, START, MODE, LENGTH = range(9, 16)

STATIC, ONCE, BACK_AND_FORTH = 0.0, 1.0, 2.0
POLYLINE_ONCE, POLYLINE_BACK_AND_FORTH = 3.0, 4.0
LEGS, FIRST_LEG, LEG_COLUMNS = 17, 18, 4

GROUND_COLUMNS = 6
GROUND_KIND, GROUND_Z, GROUND_WATER, GRID_X, GRID_Y, GRID_CELL = range(GROUND_COLUMNS)
"""kind; height of the flat plane [m]; 1 = the whole plane is water; south-west corner and cell size
of the grid [m]. The grid is heights[row north, column east]."""

NO_GROUND, FLAT_GROUND, GRID_GROUND = 0.0, 1.0, 2.0
