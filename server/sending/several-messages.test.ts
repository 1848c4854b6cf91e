import { describe, expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { plantMessages } from "../testing/planted-messages.ts";
import { codeOf } from "../testing/refusal.ts";
import { rowsRead } from "../testing/rows-read.ts";
import { becomes, makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { countMessages, listNotifications } from "./list-notifications.ts";
import { notificationOperations } from "./operations.ts";
import { cancelSeveralSchema, portalListSchema, resendSeveralSchema } from "./schemas.ts";
import { mostAtOnce } from "./vocabulary.ts";

const database = await testDatabase();
const later = () => new Date(Date.now() + 3_600_000).toISOString();
const { cancelSeveral, resendSeveral } = notificationOperations;

async function audited(tenantId: string, action: string) {
  const { rows } = await database.owner.query<{ target_id: string }>(
    "SELECT target_id FROM audit_events WHERE tenant_id = $1 AND action = $2 ORDER BY id",
    [tenantId, action],
  );
  return rows.map((row) => row.target_id);
}

/** A message that has ended so, with the values that it was sent with. */
async function ended(
  world: SendingWorld,
  status: "failed" | "delivered" | "undetermined" | "canceled",
  fields: Parameters<SendingWorld["send"]>[0] = {},
) {
  const id = messageId(await world.send(fields));
  await world.advance(id, becomes(status));
  return id;
}

const requestsOf = async (world: SendingWorld) =>
  (await listNotifications(world.tenant.as("owner"), { limit: 100 })).data;

describe("canceling several messages", () => {
  test("cancels each that can be, says of each what became of it, and audits each once", async () => {
    const world = await makeSendingWorld(database);
    const scheduled = [messageId(await world.send({ scheduledAt: later() })), messageId(await world.send())];
    const failed = await ended(world, "failed");
    const unknown = newId();
    const ids = [scheduled[0] ?? "", failed, unknown, scheduled[1] ?? "", scheduled[0] ?? ""];
    const { results } = await cancelSeveral.call(
      world.tenant.as("owner"),
      cancelSeveralSchema.parse({ ids }),
    );
    expect(results).toEqual([
      { id: scheduled[0], outcome: "canceled" },
      { id: failed, outcome: "too_late" },
      { id: unknown, outcome: "not_found" },
      { id: scheduled[1], outcome: "canceled" },
    ]);
    for (const id of scheduled) expect((await world.notification(id)).status).toBe("canceled");
    expect((await world.notification(failed)).status).toBe("failed");
    expect((await audited(world.tenantId, "notification.canceled")).sort()).toEqual([...scheduled].sort());
  });

  test("cancels nothing of another organisation, nor for somebody who may not", async () => {
    const world = await makeSendingWorld(database);
    const stranger = await makeSendingWorld(database);
    const id = messageId(await world.send({ scheduledAt: later() }));
    const input = { ids: [id] };
    const refusedTo = (ctx: Ctx) => codeOf((async () => cancelSeveral.call(ctx, input))());
    expect(await refusedTo(stranger.tenant.as("owner"))).toBe("not_found");
    expect(await refusedTo(world.tenant.as("auditor"))).toBe("permission_denied");
    expect((await world.notification(id)).status).toBe("scheduled");
  });

  test(`takes at most ${String(mostAtOnce)} messages`, () => {
    const ids = Array.from({ length: mostAtOnce + 1 }, () => newId());
    for (const schema of [cancelSeveralSchema, resendSeveralSchema]) {
      expect(schema.safeParse({ ids }).success).toBe(false);
      expect(schema.safeParse({ ids: ids.slice(1) }).success).toBe(true);
      expect(schema.safeParse({ ids: [] }).success).toBe(false);
    }
  });
});

describe("sending messages again", () => {
  test("makes a new message with the values of one that failed, and leaves the old one as it was", async () => {
    const world = await makeSendingWorld(database);
    const recipients = [
      { channel: "sms" as const, recipient: "+4915112345671", variables: { code: "of the recipient" } },
    ];
    const id = await ended(world, "failed", { recipients, metadata: { orderId: "4711" } });
    const { results } = await resendSeveral.call(world.tenant.as("owner"), { ids: [id] });
    expect(results).toEqual([{ id, outcome: "resent", detail: null, newId: expect.any(String) as string }]);
    const [made] = (await requestsOf(world)).filter(({ notificationId }) => notificationId !== id);
    expect(made).toMatchObject({
      notificationId: results[0]?.newId,
      to: "+4915112345671",
      status: "queued",
      metadata: { orderId: "4711" },
      notificationSubtype: "order_status",
    });
    const { rows } = await database.owner.query(
      "SELECT r.variables || coalesce(n.variables, '{}') AS variables FROM notifications n JOIN send_requests r ON r.tenant_id = n.tenant_id AND r.id = n.request_id WHERE n.tenant_id = $1 AND n.id = $2",
      [world.tenantId, results[0]?.newId],
    );
    expect(rows).toEqual([{ variables: { code: "of the recipient" } }]);
    expect((await world.notification(id)).status).toBe("failed");
    expect(await audited(world.tenantId, "notification.resent")).toEqual([id]);
  });

  test("makes one new message, however often and by how many it is asked for", async () => {
    const world = await makeSendingWorld(database);
    const id = await ended(world, "failed");
    const people: Ctx[] = [world.tenant.as("owner"), world.tenant.as("owner"), world.tenant.as("owner")];
    const answers = await Promise.all(people.map((ctx) => resendSeveral.call(ctx, { ids: [id, id] })));
    const again = await resendSeveral.call(world.tenant.as("owner"), { ids: [id] });
    const results = [...answers, again].flatMap((answer) => answer.results);
    expect(results.filter(({ outcome }) => outcome === "resent")).toHaveLength(1);
    expect(new Set(results.flatMap(({ newId: made }) => made ?? [])).size).toBe(1);
    expect(await requestsOf(world)).toHaveLength(2);
    expect(await audited(world.tenantId, "notification.resent")).toEqual([id]);
  });

  test("sends nothing again that arrived, may have arrived, is under way or was a one-time code", async () => {
    const world = await makeSendingWorld(database);
    const code = { notificationType: "authentication", notificationSubtype: "one_time_passcode" };
    const ids = [
      await ended(world, "delivered"),
      await ended(world, "undetermined"),
      messageId(await world.send()),
      await ended(world, "failed", code),
    ];
    const before = (await requestsOf(world)).length;
    const { results } = await resendSeveral.call(world.tenant.as("owner"), { ids });
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from(ids, () => "refused"));
    for (const { detail } of results) expect(detail).toBeTruthy();
    expect(await requestsOf(world)).toHaveLength(before);
  });

  test("never sends a message whose values have been deleted", async () => {
    const world = await makeSendingWorld(database);
    const id = await ended(world, "failed");
    await database.owner.query(
      "UPDATE send_requests SET variables = redact_variables(variables) WHERE tenant_id = $1",
      [world.tenantId],
    );
    const { results } = await resendSeveral.call(world.tenant.as("owner"), { ids: [id] });
    expect(results).toEqual([
      { id, outcome: "refused", detail: "Its content has been deleted.", newId: null },
    ]);
  });

  test("asks again whether the recipient wants it: a suppressed address gets nothing", async () => {
    const world = await makeSendingWorld(database);
    const id = await ended(world, "failed");
    await database.owner.query(
      "INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason) VALUES ($1, $2, false, 'sms', '+4915112345678', 'manual')",
      [world.tenantId, newId()],
    );
    const { results } = await resendSeveral.call(world.tenant.as("owner"), { ids: [id] });
    expect(results).toMatchObject([{ id, outcome: "refused" }]);
    expect((await world.notification(results[0]?.newId ?? "")).status).toBe("rejected");
  });
});

describe("the list of messages", () => {
  test("comes newest or oldest first, and pages through all of them once either way", async () => {
    const world = await makeSendingWorld(database);
    const sent: string[] = [];
    for (let count = 0; count < 5; count++) sent.push(messageId(await world.send()));
    for (const order of ["newest", "oldest"] as const) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const input = portalListSchema.parse({
          environmentId: world.tenant.environments.production,
          order,
          limit: 2,
          cursor,
        });
        const page = await notificationOperations.list.call(world.tenant.as("owner"), input);
        ids.push(...page.data.map(({ notificationId }) => notificationId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(ids).toEqual(order === "oldest" ? sent : sent.toReversed());
    }
  });

  test("reads only a page of an environment with very many messages, oldest first as well, and counts no further than asked", async () => {
    const world = await makeSendingWorld(database);
    const { production } = world.tenant.environments;
    const { id: applicationId, unitId } = world.tenant.application;
    const place = { tenantId: world.tenantId, environmentId: production, applicationId, unitId };
    await plantMessages(database.owner, place, 20_000);
    await database.owner.query("ANALYZE notifications");
    const { rows: partitions } = await database.owner.query<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'notifications'::regclass",
    );
    const read = async () => {
      const counts = [];
      for (const { name } of partitions) counts.push(await rowsRead(database, name));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const owner = world.tenant.as("owner");
    for (const order of ["newest", "oldest"] as const) {
      const before = await read();
      const { data } = await listNotifications(owner, { environmentId: production, order, limit: 50 });
      expect(data).toHaveLength(50);
      expect((await read()) - before, order).toBeLessThan(300);
    }
    expect(await countMessages(owner, { environmentId: production, upTo: 10_000 })).toEqual({
      count: 10_000,
      more: true,
    });
    expect(
      await countMessages(owner, { environmentId: production, statuses: ["failed"], upTo: 10_000 }),
    ).toEqual({ count: 2_000, more: false });
  });
});
