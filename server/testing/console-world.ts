import { setTimeout as pause } from "node:timers/promises";
import { afterAll } from "vitest";
import { consoleLogin } from "../../scripts/lib/database.ts";
import { carryOutChannelRequest } from "../console/carry-out-channel-request.ts";
import { createOperator } from "../console/manage-operators.ts";
import type { ConsoleDbs, OperatorCtx } from "../console/operator-ctx.ts";
import { loadOperator } from "../console/sessions.ts";
import { setOperatorPassword, signInOperator } from "../console/sign-in.ts";
import { openDb } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { addChannel } from "../platform/change-channels.ts";
import type { TestDatabase } from "./database.ts";

/** The console of a test database, with a login of its own as in production, and an operator who is signed in. */
export async function makeConsole(
  database: TestDatabase,
  options: { secondFactor?: "required" | "optional" } = {},
) {
  const url = await consoleLogin(database.ownerUrl);
  process.env.CONSOLE_DATABASE_URL = url;
  process.env.CONSOLE_SECOND_FACTOR = options.secondFactor ?? "optional";
  const db = openDb("console", url, { poolSize: 3 });
  afterAll(() => db.close());
  const dbs: ConsoleDbs = { console: db, web: database.web };
  const from = { ip: "192.0.2.7", userAgent: "Test", requestId: newId() };

  /** An operator with a password. */
  async function addOperator(
    password = "a long enough password 7",
  ): Promise<{ email: string; password: string }> {
    const email = `${newId()}@operators.example`;
    const link = await createOperator(database.owner, { email, name: "Ola Operator" });
    await setOperatorPassword(dbs, { token: link.address.split("#")[1] ?? "", password, ...from });
    return { email, password };
  }

  /** Signs in; returns the cookie. */
  async function signIn(
    as: { email: string; password: string; code?: string },
    more: Partial<typeof from> = {},
  ) {
    return signInOperator(dbs, { ...as, device: null, ...from, ...more });
  }

  async function ctxOf(token: string): Promise<OperatorCtx> {
    const ctx = await loadOperator(dbs, token, { ip: from.ip, requestId: newId() });
    if (!ctx) throw new Error("the session is over");
    return ctx;
  }

  const operator = await addOperator();
  const { token } = await signIn(operator);
  return {
    url,
    db,
    dbs,
    operator,
    token,
    addOperator,
    signIn,
    ctxOf,
    /** The operator's ctx, with a request id of its own each time. */
    ctx: () => ctxOf(token),
    events: async (action?: string) => {
      const { rows } = await database.owner.query<{
        action: string;
        operator_name: string;
        organisation: string | null;
        organisation_slug: string | null;
        request_id: string;
        data: Record<string, unknown>;
      }>("SELECT * FROM operator_events WHERE $1::text IS NULL OR action = $1 ORDER BY id", [action ?? null]);
      return rows;
    },
  };
}

/** A channel of the service's own, with an account that nobody ever calls. */
export async function addSmsChannel(
  { owner }: Pick<TestDatabase, "owner">,
  password = "secret",
): Promise<{ id: string; name: string }> {
  const name = `SMS ${newId().slice(-6)}`;
  const input = {
    name,
    provider: "smpp" as const,
    credentials: { systemId: "house", password },
    settings: { host: "8.8.8.8", port: 3550 },
    priceList: [],
    processingRegion: "EU",
  };
  return { ...(await addChannel({ owner }, input)), name };
}

/** Carries out what operators ask for while `work` waits, as the worker does with the jobs of the trigger. */
export async function serveChannelRequests<T>(database: TestDatabase, work: Promise<T>): Promise<T> {
  let over = false;
  const serve = async () => {
    while (!over) {
      const { rows } = await database.owner.query<{ id: string }>(
        `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
         WHERE t.id = j.task_id AND t.identifier = 'carry_out_channel_request' RETURNING j.payload->>'id' AS id`,
      );
      for (const { id } of rows) await carryOutChannelRequest({ db: database.worker }, { id });
      await pause(10);
    }
  };
  const serving = serve();
  try {
    return await work;
  } finally {
    over = true;
    await serving;
  }
}
