"""From an exception that nobody caught to one line and an exit code."""

from __future__ import annotations

import errno

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.extras import way_to_get

# The file system's answer to a path that cannot exist.
_OF_THE_PATH = {
    errno.ENAMETOOLONG: "the path is longer than this file system allows; shorten it",
    errno.ELOOP: "the path leads through a loop of links; correct the links",
    errno.ENOTDIR: "a part of the path is a file, not a folder; correct the path",
}
# The machine's answer to a reasonable wish: not the user's input, and no error of this program.
_OF_THE_MACHINE = {
    errno.EMFILE: "too many files are open; raise the limit (ulimit -n) or use fewer --jobs",
    errno.ENFILE: "too many files are open on this machine; close some programs",
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "the disk quota is used up; free some space",
    errno.EROFS: "the file system is read-only; choose another folder",
    errno.EACCES: "permission is denied; choose another folder or change its rights",
    errno.EPERM: "permission is denied; choose another folder or change its rights",
    errno.ENOMEM: "not enough memory; close some programs or use fewer --jobs",
    errno.EAGAIN: "the machine cannot start another process or thread; use fewer --jobs",
    errno.EIO: "the disk or the terminal does not answer",
    errno.ESTALE: "the network file system has lost a file",
    errno.EFBIG: "a file may not grow further; raise the limit (ulimit -f)",
}
_IN_TEXT = {
    "Cannot allocate memory": errno.ENOMEM,
    "failed to map segment": errno.ENOMEM,
    "can't start new thread": errno.EAGAIN,
    "Too many open files": errno.EMFILE,
}


def explain(error: Exception) -> tuple[str, ExitCode]:
    """The sentence for the user, and the exit code."""
    if isinstance(error, UavTestgenError):
        return str(error), error.exit_code
    if isinstance(error, MemoryError):
        return _OF_THE_MACHINE[errno.ENOMEM], ExitCode.UNFINISHED
    number = error.errno if isinstance(error, OSError) else None
    if number in _OF_THE_PATH:
        return f"{getattr(error, 'filename', '')}: {_OF_THE_PATH[number]}", ExitCode.INVALID_INPUT
    if isinstance(error, ValueError) and "embedded null" in str(error):
        return "a path contains a NUL character; no file has such a name", ExitCode.INVALID_INPUT
    if number not in _OF_THE_MACHINE:
        text = str(error)
        number = next((code for words, code in _IN_TEXT.items() if words in text), None)
    if number is not None:
        name = getattr(error, "filename", None)
        where = f"{name}: " if name is not None else ""
        return f"{where}{_OF_THE_MACHINE[number]}", ExitCode.UNFINISHED
    if isinstance(error, OSError) and "temporary directory" in str(error):  # said by tempfile and matplotlib
        return "no temporary folder can be written to; set TMPDIR to one that can", ExitCode.UNFINISHED
    if isinstance(error, ImportError) and not (error.name or "").startswith("uav_testgen"):
        return f"the installation is incomplete ({error}); {way_to_get(error.name)}", ExitCode.UNFINISHED
    kind = type(error).__name__
    return f"unexpected {kind}: {error} (run again with --debug to see where)", ExitCode.OUR_ERROR
