/**
 * Where metrics are served unless WEB_METRICS_PORT or WORKER_METRICS_PORT say otherwise, on this many ports from there on if others
 * are taken. Under `npm start` the worker processes have the two after the web's.
 */
export const metricsPorts = { web: 9464, worker: 9465, tried: 20 } as const;
