/**
 * For HEALTHCHECK: 0 when the part that this container runs has begun to work. A web process answers on /readyz, so that whoever
 * replaces one after the other waits for it; a worker on its metrics port.
 */
const addresses = [
  `http://127.0.0.1:${process.env.PORT || "3000"}/readyz`,
  `http://127.0.0.1:${process.env.WORKER_METRICS_PORT || "9465"}/healthz`,
];
const answers = await Promise.all(
  addresses.map(async (address) => {
    const signal = AbortSignal.timeout(3_000);
    const answer = await fetch(address, { signal }).catch(() => undefined);
    return answer?.ok === true;
  }),
);
process.exit(answers.includes(true) ? 0 : 1);
