"""`hunt`: quality-diversity search for tests that score high in reality."""
