"""Steps that turn a fresh clone into a working environment. Standard library only."""
