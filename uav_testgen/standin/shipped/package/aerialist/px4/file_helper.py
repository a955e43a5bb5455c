"""Files by name. Python 3.8."""

import fnmatch
import os
import shutil
from datetime import datetime


def get_local_file(file_path):
    """The path itself, if there is such a file."""
    if not os.path.exists(file_path):
        raise Exception("path does not exist: {}".format(file_path))
    return file_path


get_local_folder = get_local_file


def time_filename(add_host=False):
    """A name made of the time."""
    name = datetime.now().strftime("%d-%m-%H-%M-%S")
    return name + "-" + os.uname().nodename.split("-")[-1][:5] if add_host else name


def copy(src_file, dest_file):
    """Copy a file; None if that fails."""
    try:
        return shutil.copy2(src_file, dest_file)
    except (OSError, shutil.SameFileError):
        return None


def list_files_in_folder(folder, name_pattern="*", **_):
    """Files of a folder by pattern."""
    return [
        os.path.join(folder, name)
        for name in sorted(os.listdir(folder))
        if fnmatch.fnmatch(name, name_pattern)
    ]


def get_logs_address(path):
    """Flight logs in a folder."""
    return list_files_in_folder(path, "*.ulg")


def extract(log_address, topic, columns=None):
    """A topic of a flight log as a pandas table; None if the log has none."""
    import pandas

    from ._ulog import read_topic

    found = read_topic(log_address, topic)
    return (
        None
        if found is None
        else pandas.DataFrame(found if columns is None else {c: found[c] for c in columns})
    )
