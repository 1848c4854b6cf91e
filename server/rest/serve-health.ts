import { FastResponse } from "srvx";
import { readiness } from "../kernel/readiness.ts";
import type { Readiness } from "../kernel/readiness.ts";
import type { RestDeps } from "./serve-route.ts";

const headers = { "content-type": "application/json", "cache-control": "no-store" };

/** The process is alive; does not depend on anything else, so that nothing causes useless restarts. */
export function serveLiveness(): Response {
  return new FastResponse('{"status":"ok"}', { headers });
}

let asking: Promise<Readiness> | undefined;

/**
 * 200 when requests can be served here, otherwise 503 with the reason. Concurrent callers share one check of the
 * database.
 */
export async function serveReadiness(deps: RestDeps): Promise<Response> {
  asking ??= readiness(deps.db()).finally(() => {
    asking = undefined;
  });
  const result = await asking;
  return new FastResponse(JSON.stringify(result), {
    status: result.status === "ready" ? 200 : 503,
    headers,
  });
}
