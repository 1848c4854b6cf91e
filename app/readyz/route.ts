import { readiness } from "../../server/kernel/readiness.ts";
import { restDeps } from "../../server/rest/rest-deps.ts";

export const dynamic = "force-dynamic";

/** 200 when requests can be served here, otherwise 503 and why. */
export async function GET(): Promise<Response> {
  const result = await readiness(restDeps.db());
  return Response.json(result, {
    status: result.status === "ready" ? 200 : 503,
    headers: { "cache-control": "no-store" },
  });
}
