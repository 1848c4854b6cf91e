import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDb } from "../kernel/db.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import type { Change } from "../sending/notification-change.ts";
import { callAdvance } from "../sending/queries.ts";
import { testDatabase } from "../testing/database.ts";
import {
  becomes,
  claimOver,
  makeSendingWorld,
  messageId,
  notTakenBy,
  takenBy,
} from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { costReport } from "./cost-report.ts";
import { deliveryReport } from "./delivery-report.ts";
import { foldMetrics, packRollups } from "./fold-metrics.ts";
import { compareDay } from "./recompute-day.ts";
import { nobody } from "./rollup-store.ts";
import { dimensions } from "./vocabulary.ts";
import type { DeliveryCounts } from "./schemas.ts";

const database = await testDatabase();

type Step = Change | "claim";
const timeout = (attempt: number) => notTakenBy(attempt, "unknown");
const refused = (attempt: number) =>
  notTakenBy(attempt, "not_sent", {
    code: "provider_rate_limited",
    next: { dueAt: new Date(), task: "deliver_transactional" },
  });
const failure = (code: FailureCode) => ({ failure: { code, detail: "" } });
const reason = (code: FailureCode) => ({ reason: { code, detail: "" } });
const failed = becomes("failed", failure("recipient_unreachable"));
const noReceipt = becomes("undetermined", reason("no_receipt"));

/** Possible histories of a message; steps that the state machine forbids change nothing. */
const histories: Step[][] = [
  [],
  [becomes("canceled", reason("canceled"))],
  [becomes("expired", reason("expired"))],
  [becomes("rejected", reason("suppressed"))],
  [becomes("failed", failure("no_route"))],
  ["claim", takenBy(1)],
  ["claim", takenBy(1), becomes("delivered"), becomes("delivered"), { kind: "signal", signal: "read" }],
  ["claim", takenBy(1), failed, becomes("delivered")],
  ["claim", takenBy(1, { final: true })],
  ["claim", takenBy(1, { final: true }), failed, { kind: "signal", signal: "bounced" }],
  ["claim", refused(1), "claim", takenBy(2), becomes("delivered")],
  ["claim", refused(1), becomes("expired", { ...reason("expired"), ...failure("provider_rate_limited") })],
  ["claim", refused(1), becomes("rejected", reason("consent_denied"))],
  ["claim", refused(1), becomes("canceled", reason("canceled"))],
  ["claim", timeout(1), becomes("canceled", reason("canceled"))],
  ["claim", becomes("sent"), timeout(1), becomes("delivered")],
  ["claim", becomes("sent"), refused(1), noReceipt],
  ["claim", timeout(1), noReceipt],
  ["claim", timeout(1), noReceipt, becomes("delivered")],
  ["claim", timeout(1), noReceipt, failed],
  ["claim", becomes("delivered"), takenBy(1)],
  ["claim", takenBy(1), noReceipt, failed, becomes("delivered")],
];

/** The same figures from the messages themselves. */
async function truth(world: SendingWorld) {
  const { rows: messages } = await database.owner.query<{
    status: string;
    final: boolean;
    channel: string;
    code: string | null;
    was_sent: boolean;
  }>(
    `SELECT status, final, channel,
       CASE WHEN status IN ('rejected', 'canceled', 'undetermined') THEN reason_code
            ELSE coalesce(failure->>'code', reason_code) END AS code,
       sent_at IS NOT NULL AS was_sent
     FROM notifications n WHERE tenant_id = $1`,
    [world.tenantId],
  );
  const count = (of: typeof messages) => {
    const status = (name: string) => of.filter((message) => message.status === name).length;
    const totals = {
      accepted: of.length,
      sent: of.filter((message) => message.was_sent).length,
      delivered: status("delivered"),
      sentWithoutReceipt: of.filter((message) => message.status === "sent" && message.final).length,
      failed: status("failed"),
      rejected: status("rejected"),
      expired: status("expired"),
      canceled: status("canceled"),
      undetermined: status("undetermined"),
    };
    // A message of a provider without receipts counts neither as arrived nor as not.
    const over = totals.delivered + totals.failed + totals.expired + totals.undetermined;
    return { ...totals, deliveryRate: over === 0 ? null : totals.delivered / over };
  };
  const reasons = new Map<string, number>();
  for (const { status, code } of messages) {
    if (!["failed", "rejected", "expired", "undetermined"].includes(status)) continue;
    const key = `${status} ${code ?? ""}`;
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  return {
    totals: count(messages),
    byChannel: Object.fromEntries(
      [...new Set(messages.map((message) => message.channel))].map((channel) => [
        channel,
        count(messages.filter((message) => message.channel === channel)),
      ]),
    ),
    failures: Object.fromEntries(reasons),
  };
}

/** Without what recipients did. */
function outcomesOf(counts: DeliveryCounts) {
  const { accepted, sent, delivered, sentWithoutReceipt, failed, rejected, expired, canceled } = counts;
  const { undetermined, deliveryRate } = counts;
  return {
    ...{ accepted, sent, delivered, sentWithoutReceipt, failed, rejected, expired, canceled },
    ...{ undetermined, deliveryRate },
  };
}

/** When all that is counted now is put away. */
const later = () => new Date(Date.now() + 4 * 86_400_000);
const recentRows = async (world: SendingWorld) => {
  const { rows } = await database.owner.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM rollups WHERE tenant_id = $1) + (SELECT count(*) FROM rollup_reasons WHERE tenant_id = $1))::int AS count`,
    [world.tenantId],
  );
  return rows[0]?.count;
};
const today = () => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);

async function told(world: SendingWorld) {
  await foldMetrics(database.worker);
  const report = await deliveryReport(world.tenant.as("owner"), { groupBy: ["channel"] });
  const sum = (name: "accepted" | "sent" | "delivered" | "failed") =>
    report.series.reduce((total, entry) => total + entry[name], 0);
  for (const name of ["accepted", "sent", "delivered", "failed"] as const) {
    expect(sum(name), `the course of ${name}`).toBe(report.totals[name]);
  }
  const failures = new Map<string, number>();
  for (const { status, code, count } of report.failures)
    failures.set(`${status} ${code}`, (failures.get(`${status} ${code}`) ?? 0) + count);
  return {
    totals: outcomesOf(report.totals),
    byChannel: Object.fromEntries(
      report.groups.map(({ key, ...counts }) => [key.channel?.value ?? "", outcomesOf(counts)] as const),
    ),
    failures: Object.fromEntries(failures),
  };
}

describe("the delivery report", () => {
  for (const seed of [5, 17, 99]) {
    it(`agrees with the messages, whatever happened to them, folded or not (seed ${String(seed)})`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              history: fc.nat(histories.length - 1),
              channel: fc.constantFrom("sms" as const, "email" as const),
              valid: fc.nat(9),
            }),
            { minLength: 1, maxLength: 40 },
          ),
          fc.infiniteStream(fc.nat(5)),
          async (messages, dice) => {
            const world = await makeSendingWorld(database);
            const connectionId = await world.addSmtp(25);
            const accepted = await world.send({
              recipients: messages.map(({ channel, valid }, index) => ({
                channel,
                recipient:
                  valid === 0
                    ? "nobody"
                    : channel === "sms"
                      ? `+4915112345${String(100 + index)}`
                      : `p${String(index)}@example.com`,
              })),
            });
            // All histories at once, with the worker folding in between.
            const play = async (index: number, steps: Step[]) => {
              for (const step of steps) {
                const change = step === "claim" ? claimOver(connectionId) : step;
                await world.advance(messageId(accepted, index), change);
                const drawn: unknown = dice.next().value;
                if (drawn === 0) await foldMetrics(database.worker);
                if (drawn === 1) await packRollups(database.worker, later());
              }
            };
            await Promise.all(messages.map(({ history }, index) => play(index, histories[history] ?? [])));
            expect(await compareDay(database.worker, world.tenantId, today())).toEqual([]);
            const expected = await truth(world);
            await Promise.all([1, 2, 3].map(() => foldMetrics(database.worker)));
            expect(await told(world)).toEqual(expected);
            expect(await compareDay(database.worker, world.tenantId, today())).toEqual([]);
            await packRollups(database.worker, later());
            expect(await recentRows(world)).toBe(0);
            expect(await told(world)).toEqual(expected);
            expect(await compareDay(database.worker, world.tenantId, today())).toEqual([]);
          },
        ),
        { seed, numRuns: 6, endOnFailure: true },
      );
    });
  }

  it("loses and doubles nothing when several workers fold at once while messages move", async () => {
    const world = await makeSendingWorld(database);
    const connectionId = await world.addSmtp(25);
    const recipients = Array.from({ length: 200 }, (_, index) => ({
      channel: "sms" as const,
      recipient: `+4915112345${String(100 + index)}`,
    }));
    const accepted = await world.send({ recipients });
    const base = accepted.notifications.map(({ notificationId }) => ({
      tenantId: world.tenantId,
      id: notificationId,
    }));
    let moving = true;
    const folding = Promise.all(
      [1, 2, 3].map(async () => {
        while (moving) await foldMetrics(database.worker);
      }),
    );
    for (let start = 0; start < base.length; start += 20) {
      const some = base.slice(start, start + 20);
      await callAdvance(
        database.worker,
        null,
        some.map((entry) => ({ ...entry, ...claimOver(connectionId) })),
      );
      await callAdvance(
        database.worker,
        null,
        some.map((entry) => ({ ...entry, ...takenBy(1) })),
      );
      await callAdvance(
        database.worker,
        null,
        some.map((entry) => ({ ...entry, ...becomes("delivered") })),
      );
    }
    moving = false;
    await folding;
    expect(await told(world)).toEqual(await truth(world));
    await foldMetrics(database.worker);
    const { rows } = await database.owner.query<{ deltas: number; attempts: number }>(
      `SELECT (SELECT count(*)::int FROM metric_deltas) AS deltas,
              (SELECT sum(calls_sent)::int FROM rollups WHERE tenant_id = $1 AND grain = 'hour' AND slice = 'base') AS attempts`,
      [world.tenantId],
    );
    expect(rows[0]).toEqual({ deltas: 0, attempts: 200 });
  });

  it("gives the same figures whichever of its slices answers", async () => {
    const world = await makeSendingWorld(database);
    const connectionId = await world.addSmtp(25);
    const recipients = Array.from({ length: 24 }, (_, index) =>
      index % 3 === 0
        ? {
            channel: "email" as const,
            recipient: `p${String(index)}@${index % 2 === 0 ? "gmail.com" : "example.com"}`,
          }
        : {
            channel: "sms" as const,
            recipient: `${index % 2 === 0 ? "+4915112345" : "+336123456"}${String(10 + index)}`,
          },
    );
    const accepted = await world.send({ recipients });
    for (const index of recipients.keys())
      await world.advance(
        messageId(accepted, index),
        claimOver(connectionId),
        takenBy(1),
        index % 4 === 0 ? failed : becomes("delivered"),
      );
    await foldMetrics(database.worker);
    const owner = world.tenant.as("owner");
    const sum = (groups: readonly DeliveryCounts[], of: "accepted" | "delivered" | "failed") =>
      groups.reduce((total, group) => total + group[of], 0);
    for (const packed of [false, true]) {
      if (packed) await packRollups(database.worker, later());
      const { totals, latencyMs } = await deliveryReport(owner, {});
      for (const one of dimensions) {
        const { groups } = await deliveryReport(owner, { groupBy: [one] });
        for (const other of dimensions) {
          const both = await deliveryReport(owner, { groupBy: one === other ? [one] : [one, other] });
          expect(both.latencyMs).toEqual(latencyMs);
          for (const of of ["accepted", "delivered", "failed"] as const) {
            expect([one, other, of, sum(both.groups, of)]).toEqual([one, other, of, totals[of]]);
            for (const group of groups) {
              const parts = both.groups.filter(({ key }) => key[one]?.value === group.key[one]?.value);
              expect([one, other, of, sum(parts, of)]).toEqual([one, other, of, group[of]]);
            }
          }
        }
      }
    }
  });

  it("shows a unit's member the unit's messages only", async () => {
    const world = await makeSendingWorld(database);
    await world.addTemplate({
      name: "desk",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      body: "{{ code }}",
      applicationId: world.tenant.otherApplication.id,
    });
    await world.send();
    await world.send({ application: "desk" });
    await world.send({ application: "desk" });
    await foldMetrics(database.worker);
    const accepted = async (unitId: string | null) =>
      (await deliveryReport(world.tenant.as("developer", unitId), {})).totals.accepted;
    expect(await accepted(null)).toBe(3);
    expect(await accepted(world.tenant.units.alpha)).toBe(1);
    expect(await accepted(world.tenant.units.beta)).toBe(2);
  });

  it("measures a scheduled message from its time, not from when it was accepted", async () => {
    const world = await makeSendingWorld(database);
    const connectionId = await world.addSmtp(25);
    const accepted = await world.send({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    const id = messageId(accepted);
    await database.owner.query(
      "UPDATE notifications SET created_at = created_at - interval '2 hours', scheduled_at = now(), due_at = now() WHERE id = $1",
      [id],
    );
    await world.advance(id, claimOver(connectionId), takenBy(1));
    await foldMetrics(database.worker);
    const { latencyMs } = await deliveryReport(world.tenant.as("owner"), {});
    expect(latencyMs.sent?.p99).toBeLessThan(60_000);
  });

  it("gives the same totals by day as by hour, wherever in a day the period begins and ends", async () => {
    const world = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    const hour = 3_600_000;
    const now = Math.floor(Date.now() / hour) * hour;
    await database.owner.query(
      `INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type,
         notification_subtype, country, template_id, connection_id, mail_domain, status, code, provider_code, latency, count)
       SELECT $1, $2::timestamptz - make_interval(hours => back), 'status', $3, $4, $5, 'sms', 'order', 'order_status', 'DE', $6, $6, '',
         kind.status, '', '', kind.latency, back + 1
       FROM generate_series(1, 200) AS back, (VALUES ('accepted', -1), ('sent', 20), ('delivered', 30)) AS kind(status, latency)`,
      [
        world.tenantId,
        new Date(now),
        world.tenant.environments.production,
        world.tenant.application.id,
        world.tenant.units.alpha,
        nobody,
      ],
    );
    const figures = async (from: number, to: number, interval: "hour" | "day") => {
      const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const { totals, latencyMs } = await deliveryReport(owner, { ...period, interval });
      const { groups } = await deliveryReport(owner, { ...period, groupBy: ["application", "channel"] });
      return { totals, latencyMs, groups };
    };
    const periods = [0, 5, 24, 31, 190].flatMap((end) =>
      [1, 7, 30, 48, 100, 200].map((length) => [now - (end + length) * hour, now - end * hour] as const),
    );
    await foldMetrics(database.worker);
    for (const [from, to] of periods) {
      const byHour = await figures(from, to, "hour");
      const hours = Array.from({ length: 200 }, (_, index) => index + 1).filter(
        (back) => now - back * hour >= from && now - back * hour < to,
      );
      expect(byHour.totals.delivered).toBe(hours.reduce((sum, back) => sum + back + 1, 0));
      expect(await figures(from, to, "day")).toEqual(byHour);
    }
  });

  it("is read from the replica where there is one, within the organisation", async () => {
    const world = await makeSendingWorld(database);
    await world.send();
    await foldMetrics(database.worker);
    const ctx = world.tenant.as("owner");
    const expected = await deliveryReport(ctx, {});
    expect(expected.totals.accepted).toBe(1);
    const db = openDb("web", database.webUrl, { poolSize: 2, replicaUrl: database.webUrl });
    try {
      expect((await deliveryReport({ ...ctx, db }, {})).totals).toEqual(expected.totals);
      expect(db.replica).toMatchObject({ failed: false });
      expect(db.replica?.pool.totalCount).toBeGreaterThan(0);
    } finally {
      await db.close();
    }
  });

  it("refuses periods that cannot be answered", async () => {
    const world = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    const day = 86_400_000;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    for (const input of [
      { from: at(0), to: at(-day) },
      { from: at(-500 * day), to: at(0) },
      { from: at(-40 * day), to: at(0), interval: "hour" as const },
    ]) {
      await expect(deliveryReport(owner, input)).rejects.toMatchObject({ code: "invalid_request" });
    }
    // Of all groups together.
    const courses = { from: at(-399 * day), to: at(0), interval: "day" as const, limit: 500 };
    for (const report of [deliveryReport, costReport])
      await expect(report(owner, { ...courses, groupBy: ["country"] })).rejects.toMatchObject({
        code: "invalid_request",
        errors: [{ pointer: "/limit" }],
      });
    await deliveryReport(owner, { ...courses, groupBy: ["country"], courses: false });
    await costReport(owner, { ...courses, limit: 100, groupBy: ["country"] });
    await costReport(owner, courses);
  });
});
