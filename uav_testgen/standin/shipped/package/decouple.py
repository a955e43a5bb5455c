"""Settings from the environment or a .env file, for programs that expect python-decouple and lack it.

Standard library only, Python 3.8.
"""

import configparser
import os
import sys

_TRUE, _FALSE = ("1", "true", "yes", "on", "y", "t"), ("0", "false", "no", "off", "n", "f", "")
_MISSING = object()


class UndefinedValueError(Exception):
    """A setting without a value and without a default."""


def config(name, default=_MISSING, cast=None):
    """The environment's value, else that of the nearest settings.ini or .env, else the default."""
    value = os.environ.get(name, _MISSING)
    if value is _MISSING:
        folder = os.path.dirname(os.path.abspath(sys._getframe(1).f_globals.get("__file__", ".")))
        value = _from_files(folder).get(name, _MISSING)
    if value is _MISSING:
        value = _from_files(os.getcwd()).get(name, default)
    if value is _MISSING:
        raise UndefinedValueError(
            "{} not found. Declare it as envvar or define a default value.".format(name)
        )
    if cast is None or value is default and not isinstance(value, str):
        return value
    return _truth(value) if cast is bool else cast(value)


def _truth(value):
    text = str(value).lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError("Not a boolean: {}".format(value))


def _from_files(folder):
    while True:
        ini, env = os.path.join(folder, "settings.ini"), os.path.join(folder, ".env")
        if os.path.isfile(ini):
            parser = configparser.ConfigParser(interpolation=None)
            parser.optionxform = str
            parser.read(ini)
            return dict(parser["settings"]) if parser.has_section("settings") else {}
        if os.path.isfile(env):
            return _from_env(env)
        above = os.path.dirname(folder)
        if above == folder:
            return {}
        folder = above


def _from_env(path):
    found = {}
    with open(path, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            line = line.strip()
            if line and not line.startswith("#") and "=" in line:
                name, _, value = line.partition("=")
                value = value.strip()
                if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
                    value = value[1:-1]
                found[name.strip()] = value
    return found


class Csv:
    """A cast to a list of values separated by commas."""

    def __init__(self, cast=str, delimiter=","):
        self.cast = cast
        self.delimiter = delimiter

    def __call__(self, value):
        """The list."""
        return [self.cast(part.strip()) for part in str(value).split(self.delimiter) if part.strip()]
