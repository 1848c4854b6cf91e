import { expect, vi } from "vitest";
import { loadSession, sessionCtx } from "../access/sessions.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import type { TestDatabase } from "./database.ts";
import type { TestTenant } from "./factories.ts";
import { codeOf } from "./refusal.ts";

/** The password of signedInMember's people. */
export const password = "correct horse battery staple";

let addresses = 0;
/** An address that nobody has signed in from. */
export const newAddress = () => `198.51.${String(Math.floor(++addresses / 250))}.${String(addresses % 250)}`;
/** Somewhere else each time. */
export const elsewhere = () => ({ ip: newAddress(), userAgent: "test", requestId: newId() });

export interface SignedInMember {
  id: string;
  email: string;
  ctx: Ctx;
  sessionId: string;
}

/** Somebody who has signed in with the password. */
export async function signedInMember(
  database: TestDatabase,
  tenant: TestTenant,
  role: BuiltInRole = "developer",
): Promise<SignedInMember> {
  const made = await tenant.addMember(role, { password });
  const name = await signInWithPassword(database.web, {
    organisation: tenant.slug,
    email: made.email,
    password,
    ...elsewhere(),
  });
  const session = await loadSession(database.web, name);
  return { ...made, ctx: sessionCtx(database.web, session!, newId()), sessionId: name.sessionId };
}

/** Waits until so many connections wait for a lock, of a table or at all. */
export const waiting = ({ owner }: Pick<TestDatabase, "owner">, count: number, table = "") =>
  vi.waitFor(
    async () => {
      const { rows } = await owner.query<{ n: number }>(
        `SELECT count(DISTINCT pid)::int AS n FROM pg_locks
         WHERE NOT granted AND ($1 = '' OR relation = to_regclass($1)) AND pid <> pg_backend_pid()`,
        [table],
      );
      expect(rows[0]!.n).toBe(count);
    },
    { timeout: 5_000, interval: 10 },
  );

/** Does `work` while a statement of the owner's holds its locks, until they are released. */
export async function holding(
  { owner }: Pick<TestDatabase, "owner">,
  statement: string,
  work: (release: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query("BEGIN");
    await client.query(statement);
    await work(async () => {
      await client.query("ROLLBACK");
    });
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** What becomes of a sign-in to an organisation when the change is done between its proof and its session. */
export async function doneBefore(
  database: Pick<TestDatabase, "owner">,
  enter: () => Promise<unknown>,
  change: () => Promise<unknown>,
): Promise<string> {
  let outcome = "";
  // Who has proved who they are is asked for by the policy, before the session begins.
  await holding(database, "LOCK TABLE sign_in_policies IN ACCESS EXCLUSIVE MODE", async (release) => {
    const entering = codeOf(enter());
    await waiting(database, 1, "sign_in_policies");
    await change();
    await release();
    outcome = await entering;
  });
  return outcome;
}

/** Does the change while the session is there and not committed, which `log` waits for: where sign-in and change are recorded. */
export async function doneDuring(
  database: Pick<TestDatabase, "owner">,
  enter: () => Promise<unknown>,
  change: () => Promise<unknown>,
  log: "audit_events" | "operator_events" = "audit_events",
): Promise<void> {
  await holding(database, `LOCK TABLE ${log} IN SHARE MODE`, async (release) => {
    const entering = codeOf(enter());
    await waiting(database, 1, log);
    const changing = codeOf(change());
    await waiting(database, 2);
    await release();
    expect([await entering, await changing]).toEqual(["", ""]);
  });
}
