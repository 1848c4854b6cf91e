import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRole } from "../access/manage-roles.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import {
  acceptMessage,
  advanceMessage,
  closeReceivers,
  createWorld,
  endpointAt,
  parseEvent,
  receiver,
  webhookWorker,
} from "../testing/webhook-world.ts";
import type { World } from "../testing/webhook-world.ts";
import { announceHeads } from "./announce-heads.ts";
import { enqueueWebhookEvent } from "./enqueue-webhook-event.ts";
import { encodePosition, before } from "./feed-cursor.ts";
import { settledTime } from "./settled-time.ts";

const db = await testDatabase();
const rest = restClient(db.web);
const open: pg.Client[] = [];
let world: World;
let key: string;

beforeEach(async () => {
  world = await createWorld(db);
  ({ key } = await world.tenant.makeKey("production", { role: "developer" }));
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.end();
});
afterAll(closeReceivers);

interface FeedEvent {
  id: string;
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
}
interface Page {
  data: FeedEvent[];
  nextCursor: string;
  hasMore: boolean;
}

async function read(query = "", as = key): Promise<Page> {
  const answer = await rest.get<Page>(`/v1/events${query ? `?${query}` : ""}`, { key: as });
  expect(answer.text, query).toContain('"nextCursor"');
  return answer.body;
}

/** Waits until what was written so far has settled; other tests' transactions, in the same Postgres, hold it back too. */
async function settled(): Promise<void> {
  const { rows } = await db.owner.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  for (const { now } of rows)
    await expect
      .poll(async () => (await settledTime(db.web)).until?.getTime() ?? 0, { timeout: 30_000, interval: 50 })
      .toBeGreaterThan(now.getTime());
}

/** Reads on until there is no more. @param held somebody's transaction is open and stays so */
async function readAll(
  cursor?: string,
  query = "",
  as = key,
  held = false,
): Promise<{ events: FeedEvent[]; cursor: string }> {
  const events: FeedEvent[] = [];
  let at = cursor;
  if (held) await pause(300);
  else await settled();
  for (;;) {
    const page = await read([at === undefined ? "" : `cursor=${at}`, query].filter(Boolean).join("&"), as);
    events.push(...page.data);
    at = page.nextCursor;
    if (!page.hasMore) return { events, cursor: at };
  }
}

/** A connection with a transaction of its own that stays open. */
async function transaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: db.workerUrl });
  await client.connect();
  open.push(client);
  await client.query("BEGIN");
  return client;
}
const asDb = (client: pg.Client) => ({ pool: client }) as unknown as typeof db.worker;

const shown = (events: readonly FeedEvent[]) =>
  events.map(({ event, data }) => {
    const { notificationId, consentId } = data as { notificationId?: string; consentId?: string };
    return `${event} ${notificationId ?? consentId ?? ""}`;
  });

const optIn = (applicationId: string | null, environmentId: string | null, sandbox = false) => ({
  event: "consent.opted_in" as const,
  applicationId,
  environmentId,
  sandbox,
  payload: {
    consentId: newId(),
    channel: "email",
    address: "ada@example.com",
    region: null,
    class: "marketing",
    source: "api",
    at: new Date().toISOString(),
  },
});
const happened = (of: World, event: Parameters<typeof enqueueWebhookEvent>[2]) =>
  inTenant(of.owner, (tx) => enqueueWebhookEvent(of.owner, tx, event));

describe("the feed of events", () => {
  it("has what a webhook was posted, to the member, also for an organisation that never had an endpoint", async () => {
    const hook = await receiver();
    const worker = webhookWorker(db.owner, db.worker, world);
    const silent = await acceptMessage(db.worker, world, world.shop, { orderId: "1" });
    await advanceMessage(db.worker, world, silent, { to: "sending", data: { provider: "Mail" } });
    expect(shown((await readAll()).events)).toEqual([
      `notification.queued ${silent}`,
      `notification.sending ${silent}`,
    ]);

    await endpointAt(world, world.shop, hook.url);
    await advanceMessage(db.worker, world, silent, { to: "delivered", at: "2026-11-20T10:00:00.123Z" });
    await happened(world, optIn(null, null));
    await worker.drain();
    const posted = hook.received
      .map(parseEvent)
      .map(({ event, timestamp, data }) => ({ event, timestamp, data }));
    const { events } = await readAll();
    const fed = events.slice(2).map(({ event, timestamp, data }) => ({ event, timestamp, data }));
    expect(fed).toHaveLength(2);
    expect(fed[0]).toEqual(posted.find(({ event }) => event === "notification.delivered"));
    // An endpoint belongs to one application; what concerns all of them has none in the feed.
    const consent = posted.find(({ event }) => event === "consent.opted_in");
    expect(fed[1]).toEqual({ ...consent, data: { ...consent?.data, application: "" } });
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
  });

  it("never passes an event whose transaction commits late, whichever of two began or wrote first", async () => {
    const start = (await readAll()).cursor;
    const late = await transaction();
    const first = await acceptMessage(asDb(late), world, world.shop);
    // Written and committed after it, while it is still open.
    const second = await acceptMessage(db.worker, world, world.shop);
    const meanwhile = await readAll(start, "", key, true);
    expect(shown(meanwhile.events)).toEqual([]);
    await late.query("COMMIT");
    const then = await readAll(meanwhile.cursor);
    expect(shown(then.events)).toEqual([`notification.queued ${first}`, `notification.queued ${second}`]);

    // The other way round: the transaction that began first writes last.
    const slow = await transaction();
    await slow.query("SELECT pg_current_xact_id()");
    const third = await acceptMessage(db.worker, world, world.shop);
    const held = await readAll(then.cursor, "", key, true);
    const fourth = await acceptMessage(asDb(slow), world, world.shop);
    await slow.query("COMMIT");
    const others = await readAll(held.cursor);
    expect([...shown(held.events), ...shown(others.events)]).toEqual([
      `notification.queued ${third}`,
      `notification.queued ${fourth}`,
    ]);
    expect((await readAll(others.cursor)).events).toEqual([]);
  });

  it("loses and repeats nothing for a reader that follows many writers, some of whom roll back", async () => {
    const start = (await readAll()).cursor;
    const expected: string[] = [];
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let turn = 0; turn < 6; turn++) {
        const client = await transaction();
        const id = await acceptMessage(asDb(client), world, world.shop);
        await pause(((writer * 7 + turn * 13) % 5) * 8);
        if ((writer + turn) % 4 === 0) await client.query("ROLLBACK");
        else {
          await client.query("COMMIT");
          expected.push(id);
        }
        await client.end();
        open.splice(open.indexOf(client), 1);
      }
    });
    const progress = { done: false };
    const writing = Promise.all(writers).then(() => (progress.done = true));
    const seen: string[] = [];
    let cursor = start;
    for (let last = false; ;) {
      const page = await read(`cursor=${cursor}&limit=3`);
      cursor = page.nextCursor;
      seen.push(...page.data.map(({ data }) => String(data.notificationId)));
      if (last && !page.hasMore) break;
      if (progress.done && !page.hasMore) {
        await settled();
        last = true;
      }
    }
    await writing;
    expect(seen.toSorted()).toEqual(expected.toSorted());
  });

  it("goes on where a cursor stands, page by page, in the order of writing", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await acceptMessage(db.worker, world, world.shop));
    await readAll();
    const one = await read("limit=2");
    const two = await read(`limit=2&cursor=${one.nextCursor}`);
    const three = await read(`limit=2&cursor=${two.nextCursor}`);
    expect([one, two, three].flatMap(({ data }) => data.map((each) => each.data.notificationId))).toEqual(
      ids,
    );
    expect([one.hasMore, two.hasMore, three.hasMore]).toEqual([true, true, false]);
    const four = await read(`cursor=${three.nextCursor}`);
    expect(four.data).toEqual([]);
    const sixth = await acceptMessage(db.worker, world, world.shop);
    expect(shown((await readAll(four.nextCursor)).events)).toEqual([`notification.queued ${sixth}`]);
  });

  it("goes on past events of other environments in bounded steps, without losing its place", async () => {
    for (let n = 0; n < 8; n++) await acceptMessage(db.worker, world, world.shopSandbox);
    const mine = await acceptMessage(db.worker, world, world.shop);
    expect(shown((await readAll(undefined, "limit=1")).events)).toEqual([`notification.queued ${mine}`]);
  });

  it("shows a key its own environment and scope, and what concerns all applications", async () => {
    const shop = await acceptMessage(db.worker, world, world.shop);
    const desk = await acceptMessage(db.worker, world, world.desk);
    const sandboxed = await acceptMessage(db.worker, world, world.shopSandbox);
    const everywhere = optIn(null, null);
    const inSandbox = optIn(null, null, true);
    const ofDesk = optIn(world.desk.applicationId, world.desk.environmentId);
    for (const event of [everywhere, inSandbox, ofDesk]) await happened(world, event);
    const bound = await world.tenant.makeKey("production", {
      role: "developer",
      applicationId: world.shop.applicationId,
    });
    const unit = await world.tenant.makeKey("production", { role: "developer", unitId: world.desk.unitId });
    const sandbox = await world.tenant.makeKey("sandbox", { role: "developer" });
    const of = async (as: string, query = "") =>
      (await readAll(undefined, query, as)).events.map(({ data }) => data.notificationId ?? data.consentId);
    expect(await of(key)).toEqual([shop, desk, everywhere.payload.consentId, ofDesk.payload.consentId]);
    expect(await of(key, "application=shop")).toEqual([shop, everywhere.payload.consentId]);
    expect(await of(bound.key)).toEqual([shop, everywhere.payload.consentId]);
    expect(await of(unit.key)).toEqual([desk, everywhere.payload.consentId, ofDesk.payload.consentId]);
    expect(await of(sandbox.key)).toEqual([sandboxed, inSandbox.payload.consentId]);
  });

  it("shows nothing of another organisation, whose cursor is only a time here", async () => {
    const other = await createWorld(db);
    await acceptMessage(db.worker, other, other.shop);
    await happened(other, optIn(null, null));
    const theirs = await other.tenant.makeKey("production", { role: "developer" });
    const { events, cursor } = await readAll(undefined, "", theirs.key);
    expect(events).toHaveLength(2);
    expect((await readAll()).events).toEqual([]);
    expect((await readAll(cursor)).events).toEqual([]);
    // Also without the condition in the statement: the web role sees one organisation's rows.
    const client = await db.web.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT set_config('app.tenant', $1, true)", [world.tenantId]);
      expect((await client.query("SELECT FROM feed_events")).rowCount).toBe(0);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });

  it("masks addresses and texts for a key without content:reveal", async () => {
    const role = await createRole(world.owner, {
      name: "Reads events",
      description: "",
      permissions: ["events:read"],
    });
    const { environmentId } = world.shop;
    const blind = await createApiKey(world.owner, { name: "blind", environmentId, role: role.key });
    const id = await acceptMessage(db.worker, world, world.shop);
    const failure = { code: "invalid_recipient", detail: "No mailbox ada@example.com" };
    await advanceMessage(db.worker, world, id, { to: "failed", failure, data: { failure } });
    await happened(world, optIn(null, null));
    await happened(world, {
      event: "message.received",
      applicationId: world.shop.applicationId,
      environmentId: world.shop.environmentId,
      payload: {
        messageId: newId(),
        channel: "sms",
        from: "+4915112345678",
        to: "+49800",
        text: "My name is Ada",
        receivedAt: new Date().toISOString(),
        provider: "Mail",
      },
    });
    const { events } = await readAll(undefined, "", blind.key);
    expect(events.map(({ event }) => event)).toEqual([
      "notification.queued",
      "notification.failed",
      "consent.opted_in",
      "message.received",
    ]);
    expect(JSON.stringify(events)).not.toMatch(/ada@|Ada|4915112345678/);
    expect(events[3]?.data).toMatchObject({ from: "•••", text: "•••", to: "+49800" });
    const sighted = JSON.stringify((await readAll()).events);
    for (const text of ["No mailbox ada@example.com", "My name is Ada"]) expect(sighted).toContain(text);
  });

  it("answers 400 for a place older than 30 days and for a cursor that it did not make, 422 for a page too long", async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const ask = async (query: string) => {
      const { status, body } = await rest.get<{ code?: string }>(`/v1/events?${query}`, { key });
      return [status, body.code];
    };
    expect(await ask(`cursor=${encodePosition(before(daysAgo(31)))}`)).toEqual([400, "cursor_expired"]);
    expect(await ask(`since=${daysAgo(31).toISOString()}`)).toEqual([400, "cursor_expired"]);
    expect(await ask(`cursor=${encodePosition(before(daysAgo(29)))}`)).toEqual([200, undefined]);
    // Who began with the oldest event of 30 days goes on, though time passes.
    expect(await ask(`cursor=${encodePosition(before(daysAgo(30.01)))}`)).toEqual([200, undefined]);
    expect(await ask(`since=${daysAgo(30.01).toISOString()}`)).toEqual([200, undefined]);
    for (const cursor of [
      "x",
      Buffer.from("1/2/3").toString("base64url"),
      encodePosition(before(daysAgo(1))).slice(0, -8),
    ])
      expect(await ask(`cursor=${cursor}`)).toEqual([400, "invalid_cursor"]);
    expect(await ask("limit=501")).toEqual([422, "invalid_request"]);
    expect(
      await ask(`limit=1&cursor=${encodePosition(before(daysAgo(1)))}&since=${daysAgo(1).toISOString()}`),
    ).toEqual([422, "invalid_request"]);
  });

  it("begins now for a caller whose clock is ahead, who misses nothing", async () => {
    await acceptMessage(db.worker, world, world.shop);
    const ahead = new Date(Date.now() + 600_000).toISOString();
    const { cursor } = await readAll(undefined, `since=${ahead}`);
    const later = await acceptMessage(db.worker, world, world.shop);
    const { events } = await readAll(cursor);
    expect(shown(events)).toEqual([`notification.queued ${later}`]);
  });

  it("begins at a time, and gives kinds of events by name, among them those that are told only so", async () => {
    await acceptMessage(db.worker, world, world.shop);
    await readAll();
    const since = new Date().toISOString();
    const id = await acceptMessage(db.worker, world, world.shop);
    await advanceMessage(db.worker, world, id, { to: "sending" });
    await announceHeads(db.worker, [
      {
        tenantId: world.tenantId,
        statement: {
          tenantId: world.tenantId,
          sequence: 1,
          hash: "00",
          at: since,
          checkpoint: 1,
          keyId: "k",
          signature: "s",
        },
      },
    ]);
    const names = async (query: string) => (await readAll(undefined, query)).events.map(({ event }) => event);
    expect(await names(`since=${since}`)).toEqual(["notification.queued", "notification.sending"]);
    expect(await names("event=notification.sending")).toEqual(["notification.sending"]);
    expect(await names("event=notification.sending&event=audit.checkpoint")).toEqual([
      "notification.sending",
      "audit.checkpoint",
    ]);
  });

  it("finds the next events by an index that leads with the organisation and the time of writing", async () => {
    const plan = await db.owner.query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT FROM notification_events WHERE tenant_id = $1 AND written_at >= now() - interval '1 minute'
         AND written_at <= now() ORDER BY written_at LIMIT 100`.replace("$1", `'${world.tenantId}'`),
    );
    const text = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toMatch(
      /Index (?:Only )?Scan using notification_events_\d{4}_\d{2}_tenant_id_written_at_idx/,
    );
    expect(text).not.toMatch(/Seq Scan/);
  });
});
