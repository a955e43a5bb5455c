#!/bin/sh
# The head of a Ray cluster: it keeps the books and computes nothing (give it 2 processors and 4 GB).
# Every machine needs the same token (RAY_AUTH_TOKEN) and the same versions; Ray listens on all interfaces,
# so keep its ports (here 6379 and 10002 to 10999) inside your network as well.
set -eu
: "${RAY_AUTH_TOKEN:?choose one for the whole cluster, for example with: openssl rand -hex 32}"
export RAY_AUTH_TOKEN RAY_AUTH_MODE=token RAY_USAGE_STATS_ENABLED=0
exec ray start --head --port 6379 --num-cpus 0 --include-dashboard=false --disable-usage-stats \
  --min-worker-port 10002 --max-worker-port 10999 --block
