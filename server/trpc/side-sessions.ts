import { encode } from "next-auth/jwt";
import { endSession, loadSession, sessionSeconds } from "../access/sessions.ts";
import type { PortalSession, SessionName } from "../access/sessions.ts";
import type { Db } from "../kernel/db.ts";
import {
  decodeSession,
  parseCookies,
  readSessionName,
  sessionNameOf,
  sessionSecret,
} from "./session-token.ts";

/*
 * Somebody with accounts in several organisations signs in to each once. The newest session is next-auth's cookie; the others
 * stand beside it in one of ours, so each was opened with what its own account asks for. Which of them a request is made under
 * follows from the organisation that the page's address names; that proves nothing and chooses among the browser's own.
 */

const sideCookie = "tidings-sessions";
/** Sessions beside the newest one. The oldest is ended for one more. */
const maxBeside = 5;

/** The sessions that a browser keeps, the newest first; says nothing of whether they still live. */
export async function sessionNames(cookieHeader: string | null): Promise<SessionName[]> {
  const newest = await readSessionName(cookieHeader);
  return [...(newest ? [newest] : []), ...(await readBeside(cookieHeader))];
}

async function readBeside(cookieHeader: string | null): Promise<SessionName[]> {
  const token = parseCookies(cookieHeader)[sideCookie];
  if (token === undefined || token.length > 4_096) return [];
  const decoded = await decodeSession({ token, secret: sessionSecret() }).catch(() => null);
  const listed: unknown = decoded?.beside;
  if (!Array.isArray(listed)) return [];
  return listed
    .slice(0, maxBeside)
    .flatMap((each: unknown) =>
      typeof each === "object" && each !== null ? (sessionNameOf(each as Record<string, unknown>) ?? []) : [],
    );
}

/** The sessions of a browser that still live, the newest first, one for each organisation. */
export async function liveSessions(db: Db, cookieHeader: string | null): Promise<PortalSession[]> {
  const live = await Promise.all((await sessionNames(cookieHeader)).map((name) => loadSession(db, name)));
  const seen = new Set<string>();
  return live.flatMap((session) => {
    if (!session || seen.has(session.tenant.id)) return [];
    seen.add(session.tenant.id);
    return [session];
  });
}

/**
 * What the browser keeps beside a session that begins now, as a Set-Cookie header: its sessions with other organisations. One
 * with the same organisation ends, and so does the oldest of too many.
 */
export async function keepBeside(
  db: Db,
  cookieHeader: string | null,
  begins: { tenantId: string },
  attributes: string,
): Promise<string> {
  const names = await sessionNames(cookieHeader);
  const others = names.filter(({ tenantId }) => tenantId !== begins.tenantId);
  const kept = others.slice(0, maxBeside);
  for (const name of names) if (!kept.includes(name)) await endSession(db, name);
  return setCookie(kept, attributes);
}

/** Ends all that stands beside the newest session, as a Set-Cookie header: who signs out is out everywhere in this browser. */
export async function endBeside(db: Db, cookieHeader: string | null, attributes: string): Promise<string> {
  for (const name of await readBeside(cookieHeader)) await endSession(db, name);
  return setCookie([], attributes);
}

async function setCookie(names: readonly SessionName[], attributes: string): Promise<string> {
  if (names.length === 0) return `${sideCookie}=; Path=/; Max-Age=0; ${attributes}`;
  const beside = names.map(({ sessionId, tenantId, userId }) => ({
    sid: sessionId,
    tid: tenantId,
    sub: userId,
  }));
  const text = await encode({ token: { beside }, secret: sessionSecret(), maxAge: sessionSeconds });
  return `${sideCookie}=${text}; Path=/; Max-Age=${String(sessionSeconds)}; ${attributes}`;
}
