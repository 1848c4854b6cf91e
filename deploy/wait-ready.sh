#!/bin/sh
# Waits up to a minute until the address answers with 2xx.
set -eu
url=${1:?"Say which address: wait-ready.sh http://127.0.0.1:3001/readyz"}
exec node -e '
  const [, url] = process.argv;
  const until = Date.now() + 60_000;
  (async () => {
    for (;;) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
      if (answer?.ok) return;
      if (Date.now() > until) { console.error(`${url} does not answer`); process.exit(1); }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
' "$url"
