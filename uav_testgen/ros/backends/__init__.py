"""Backends that fly in the node graph."""
