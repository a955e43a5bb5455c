"""What comes from outside the package: settings, and the way to the server. Python 3.8."""

try:
    from decouple import config
except ImportError:  # looked at outside a started program
    from ..decouple import config

try:
    import uav_testgen_client as client
except ImportError:
    client = None

__all__ = ["client", "config"]
