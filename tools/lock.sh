#!/bin/sh
# Chooses versions for everything in requirements/*.in and writes the lock for Python 3.10 to 3.12.
set -eu
cd "$(dirname "$0")/../requirements"
made=$(mktemp)
trap 'rm -f "$made"' EXIT
../.venv/bin/uv pip compile --quiet --universal --python-version 3.10 --no-annotate --no-header --upgrade \
  core.in studio.in ros.in dev.in --output-file "$made" > /dev/null
{
  echo '# Written by `make lock` from *.in: every package, pinned, for Python 3.10 to 3.12. Do not edit by hand.'
  cat "$made"
} > lock.txt
