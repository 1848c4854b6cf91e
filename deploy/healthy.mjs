/** For HEALTHCHECK: 0 when the part that this container runs answers on its metrics port. */
const ports = [process.env.WEB_METRICS_PORT || "9464", process.env.WORKER_METRICS_PORT || "9465"];
const answers = await Promise.all(
  ports.map(async (port) => {
    const signal = AbortSignal.timeout(3_000);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => undefined);
    return answer?.ok === true;
  }),
);
process.exit(answers.includes(true) ? 0 : 1);
