"""A scene that flies in milliseconds, for tests that need many flights: fifteen seconds past a pillar."""

SHORT_SCENE = """\
name: short
mission:
  waypoints:
    - position_enu_m: [9.0, 0.0, 5.0]
  home_enu_m: [0.0, 0.0, 5.0]
  takeoff: false
  land: false
obstacles:
  - name: pillar
    center_enu_m: [5.0, 2.9, 5.0]
    size_m: [1.0, 1.0, 10.0]
"""
