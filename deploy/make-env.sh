#!/bin/sh
# Makes deploy/.env with secrets of its own, and a certificate to begin with, unless they are there:
#
#   deploy/make-env.sh https://tidings.example.com
set -eu
cd "$(dirname "$0")"
public_url=${1:?"Say where people reach it: deploy/make-env.sh https://tidings.example.com"}
host=$(printf '%s' "$public_url" | sed -E 's#^https?://##; s#[:/].*$##')
umask 077

if [ ! -e .env ]; then
  cat > .env <<END
# Secrets of this installation. TIDINGS_SECRET_KEY seals every stored credential: keep a copy where the backups are not.
# Further variables (README.md, "In production") can be set here as well.
PUBLIC_URL=$public_url
TIDINGS_SECRET_KEY=$(openssl rand -base64 32)
POSTGRES_PASSWORD=$(openssl rand -hex 24)
WEB_PASSWORD=$(openssl rand -hex 24)
WORKER_PASSWORD=$(openssl rand -hex 24)
END
  echo "deploy/.env: made"
else
  echo "deploy/.env: there already, left as it is"
fi

if [ ! -e tls/fullchain.pem ]; then
  mkdir -p tls
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$host" -addext "subjectAltName=DNS:$host" \
    -keyout tls/privkey.pem -out tls/fullchain.pem 2> /dev/null
  echo "deploy/tls: a certificate that nobody trusts, for 30 days; put yours in its place"
fi
