"""The nodes of the graph: thin wrappers over the core, one file each."""
