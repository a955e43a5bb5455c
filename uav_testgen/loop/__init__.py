"""The closed loop: sense, plan, guide, move, track. One system under test, one state, one step, one tracker."""
