import { hasOneOrganisation } from "../access/has-one-organisation.ts";
import { loadSession, noteWork, sessionCtx } from "../access/sessions.ts";
import type { PortalSession } from "../access/sessions.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { sharedDb } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { readSessionName } from "./session-token.ts";
import { liveSessions } from "./side-sessions.ts";

export type { PortalSession };

/** One HTTP call of the portal; without a live session `session` and `tidings` are null. */
export interface PortalContext {
  requestId: string;
  session: PortalSession | null;
  tidings: Ctx | null;
}

/** Names the organisation of the page that a portal call comes from (components/trpc/client.tsx). */
export const organisationHeader = "x-tidings-organisation";
/** Names the person whose page a portal call comes from, by their id. */
export const personHeader = "x-tidings-person";
/** Says that nobody is at work on the page that a portal call comes from: it refreshes itself (components/trpc/at-work.ts). */
export const unattendedHeader = "x-tidings-unattended";

/**
 * Identifies the caller by the session cookies. For the tRPC route and for server components, e.g. `await
 * portalContext((await headers()).get("cookie"))`.
 * @param cookieHeader the Cookie header as received
 * @param options.organisation short name of the one that is meant, among those that the browser is signed in to; none but the
 *   newest without it
 * @param options.person id of the one who is meant: nobody else who has signed in since then in the same browser
 * @param options.unattended nobody is at work: the session ends for idleness all the same
 */
export async function portalContext(
  cookieHeader: string | null,
  options: {
    db?: Db;
    requestId?: string;
    organisation?: string | null | undefined;
    person?: string | null | undefined;
    unattended?: boolean;
  } = {},
): Promise<PortalContext> {
  const requestId = options.requestId ?? newId();
  const db = options.db ?? sharedDb("web");
  const session = await sessionFor(db, cookieHeader, options.organisation ?? null);
  if (!session || (options.person && options.person !== session.user.id))
    return { requestId, session: null, tidings: null };
  if (!options.unattended) noteWork(db, session);
  return { requestId, session, tidings: sessionCtx(db, session, requestId) };
}

async function sessionFor(
  db: Db,
  cookieHeader: string | null,
  organisation: string | null,
): Promise<PortalSession | undefined> {
  const name = await readSessionName(cookieHeader);
  const newest = name ? await loadSession(db, name) : undefined;
  if (newest && (organisation === null || newest.tenant.slug === organisation)) return newest;
  const all = await liveSessions(db, cookieHeader);
  return organisation === null ? all[0] : all.find(({ tenant }) => tenant.slug === organisation);
}

/** The organisations that a browser is signed in to, and whether there may be others. */
export async function organisationsOf(
  cookieHeader: string | null,
): Promise<{ organisations: { slug: string; name: string }[]; otherOrganisations: boolean }> {
  const db = sharedDb("web");
  const [sessions, one] = await Promise.all([liveSessions(db, cookieHeader), hasOneOrganisation(db)]);
  return {
    organisations: sessions
      .map(({ tenant: { slug, name } }) => ({ slug, name }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    otherOrganisations: !one,
  };
}
