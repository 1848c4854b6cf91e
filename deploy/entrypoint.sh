#!/bin/sh
# Starts the part of Tidings that the first argument names; exec, so that signals reach it.
set -eu
cd "$(dirname "$0")/.."

part=${1:-web}
[ $# -gt 0 ] && shift

case $part in
  web)
    exec node --import ./scripts/lib/compile-cache.mjs --max-old-space-size=512 --max-semi-space-size=16 \
      server/front-door/main.ts "$@"
    ;;
  worker)
    exec node --import ./scripts/lib/compile-cache.mjs --max-old-space-size=192 --max-semi-space-size=24 \
      worker/main.ts "$@"
    ;;
  migrate | backup | restore | hold | tenant | operator | channels | fees | quotas | recompute | rotate-keys | verify-audit)
    exec node "scripts/$part.ts" "$@"
    ;;
  *)
    echo "There is no part $part. There are web, worker, migrate, and the commands backup, restore, hold, tenant, operator," >&2
    echo "channels, fees, quotas, recompute, rotate-keys and verify-audit." >&2
    exit 64
    ;;
esac
