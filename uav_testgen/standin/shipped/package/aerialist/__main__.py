"""`python3 -m aerialist exec …`."""

import os
import sys

if __package__:
    from .entry import main
else:  # python3 path/to/aerialist exec …
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from aerialist.entry import main

if __name__ == "__main__":
    main()
