"""Contract suites and factories shipped with the package, for everyone who plugs in a part."""
