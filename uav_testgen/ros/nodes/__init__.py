"""One file for each node; every `<name>_node.py` with a `main` becomes an executable of that name."""
