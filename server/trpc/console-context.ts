import type { OperatorCtx } from "../console/operator-ctx.ts";
import { loadOperator } from "../console/sessions.ts";
import { sharedDb } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { secureCookies } from "./session-token.ts";
import { cookieOf } from "./sign-in-cookies.ts";

/** One HTTP call of the console; without a live session `operator` is null. */
export interface ConsoleContext {
  requestId: string;
  operator: OperatorCtx | null;
}

/** The session of an operator; the portal's has another name and says nothing here. */
const sessionCookie = "tidings-operator";
/** The browser is known to the operator who signed in with it. */
const deviceCookie = "tidings-operator-device";
/** Names the operator whose page a call comes from, by their id: nobody else who signs in in the same browser acts through it. */
const operatorHeader = "x-tidings-operator";

/** Whether this installation has a console: it has a database login for it. Read at each call, before anything else. */
export function hasConsole(): boolean {
  return env().consoleDatabaseUrl !== undefined;
}

export const consoleDbs = () => ({ console: sharedDb("console"), web: sharedDb("web") });

/** The Set-Cookie header of one of the two; seconds 0 clears it. They are sent to the console's own paths and by its own pages only. */
function setCookie(name: string, value: string, seconds: number): string {
  const secure = secureCookies() ? "; Secure" : "";
  return `${name}=${value}; Path=/console; Max-Age=${String(seconds)}; HttpOnly; SameSite=Strict${secure}`;
}
export const keepSession = (token: string, seconds: number) => setCookie(sessionCookie, token, seconds);
export const keepDevice = (device: string, seconds: number) => setCookie(deviceCookie, device, seconds);
export const readDevice = (cookies: string | null) => cookieOf(cookies, deviceCookie);

/** Identifies the operator by the cookie of their session. For the console's tRPC route and its pages. */
export async function consoleContext(headers: Headers, requestId = newId()): Promise<ConsoleContext> {
  const operator = await loadOperator(consoleDbs(), cookieOf(headers.get("cookie"), sessionCookie), {
    // As resolved by the front door, whatever the sender claimed.
    ip: headers.get("x-forwarded-for"),
    requestId,
  });
  const meant = headers.get(operatorHeader);
  return { requestId, operator: operator && (!meant || meant === operator.operator.id) ? operator : null };
}

interface SignedInOperator {
  id: string;
  name: string;
  email: string;
  /** They have to set up a second factor before anything else. */
  secondFactorMissing: boolean;
}

/** For pages: who is signed in, and that they are at work. Null: nobody. */
export async function signedInOperator(headers: Headers): Promise<SignedInOperator | null> {
  const { operator } = await consoleContext(headers);
  if (!operator) return null;
  return { ...operator.operator, secondFactorMissing: operator.secondFactorMissing };
}
