#!/bin/sh
# Writes the file of logins from WEB_PASSWORD and WORKER_PASSWORD, and starts PgBouncer.
set -eu
run=${PGBOUNCER_RUN:-/run/tidings}
umask 077
{
  printf '"tidings_web" "%s"\n' "${WEB_PASSWORD:?}"
  printf '"tidings_worker" "%s"\n' "${WORKER_PASSWORD:?}"
} > "$run/userlist.txt"
exec pgbouncer "${PGBOUNCER_INI:-/etc/tidings/pgbouncer.ini}"
