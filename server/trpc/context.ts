import { loadSession, sessionCtx } from "../access/sessions.ts";
import type { PortalSession } from "../access/sessions.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { sharedDb } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { readSessionName } from "./session-token.ts";

export type { PortalSession };

/** One HTTP call of the portal; without a live session `session` and `tidings` are null. */
export interface PortalContext {
  requestId: string;
  session: PortalSession | null;
  tidings: Ctx | null;
}

/**
 * Identifies the caller by the session cookie. For the tRPC route and for server components, e.g. `await
 * portalContext((await headers()).get("cookie"))`.
 * @param cookieHeader the Cookie header as received
 */
export async function portalContext(
  cookieHeader: string | null,
  options: { db?: Db; requestId?: string } = {},
): Promise<PortalContext> {
  const requestId = options.requestId ?? newId();
  const name = await readSessionName(cookieHeader);
  if (!name) return { requestId, session: null, tidings: null };
  const db = options.db ?? sharedDb("web");
  const session = await loadSession(db, name);
  if (!session) return { requestId, session: null, tidings: null };
  return { requestId, session, tidings: sessionCtx(db, session, requestId) };
}
