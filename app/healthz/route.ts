export const dynamic = "force-dynamic";

/** The process is alive; says nothing of what it depends on, so that a restart is not asked for in vain. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}
