"""One prediction for every door: runs drawn, flown, corrected and counted in one place."""
