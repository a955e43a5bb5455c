from . import actions

__all__ = ["actions"]
