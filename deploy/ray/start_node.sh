#!/bin/sh
# One more machine for the cluster: start_node.sh HEAD:6379 [PROCESSORS]
set -eu
: "${RAY_AUTH_TOKEN:?the token of the cluster}"
export RAY_AUTH_TOKEN RAY_AUTH_MODE=token RAY_USAGE_STATS_ENABLED=0 OPENBLAS_NUM_THREADS=1
# Ray lets everything else on the machine go first; on a machine of its own that only costs time.
export RAY_worker_niceness=0
exec ray start --address "${1:?address of the head, HOST:6379}" --num-cpus "${2:-$(nproc)}" \
  --disable-usage-stats --block
