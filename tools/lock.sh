#!/bin/sh
# Chooses versions for everything in requirements/*.in and writes the locks for Python 3.10 to 3.13: every package
# pinned, with the hashes of all its files. `sh tools/lock.sh --keep` keeps the versions that are locked already.
set -eu
cd "$(dirname "$0")/../requirements"
uv=${UV:-../.venv/bin/uv}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
upgrade=--upgrade
if [ "${1:-}" = --keep ]; then
  upgrade=
  cp ./*.txt "$work"
fi

# write NAME.txt WHAT OPTIONS...: one lock; WHAT completes the sentence in its first line.
write() {
  name=$1 what=$2
  shift 2
  "$uv" pip compile --quiet --system-certs --universal --python-version 3.10 --no-annotate --no-header \
    --generate-hashes $upgrade --output-file "$work/$name" "$@" > /dev/null
  {
    echo "# Written by \`make lock\`: $what, for Python 3.10 to 3.13. Do not edit by hand."
    grep -v '^#' "$work/$name"
  } > "$name"
}

write lock.txt 'every package of core.in, studio.in, ros.in and dev.in' core.in studio.in ros.in dev.in
# What else is installed has the versions of the lock where both have a package.
grep -v -e '--hash=' -e '^#' lock.txt | sed 's/ *\\$//' > "$work/pins.txt"
write container.txt 'what predictions in a container need' --constraint "$work/pins.txt" container.in
write tools.txt 'what the set-up itself installs where the system lacks it' --no-deps tools.in
write no_deps.txt 'CMake helpers whose own requirements are left out' --no-deps no_deps.in
