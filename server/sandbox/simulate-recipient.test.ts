import { afterEach, describe, expect, it, vi } from "vitest";
import { overviewReport } from "../insights/overview-report.ts";
import { countMessages } from "../sending/list-notifications.ts";
import { foldMetrics } from "../insights/fold-metrics.ts";
import { listConversationMessages } from "../conversations/list-conversation-messages.ts";
import { listConversations } from "../conversations/list-conversations.ts";
import type { Channel } from "../kernel/channel.ts";
import { env } from "../kernel/env.ts";
import { serveCallback } from "../rest/serve-callback.ts";
import { getNotification } from "../sending/get-notification.ts";
import { deliverSimulatedCallback } from "../sending/simulated-callbacks.ts";
import { postSimulatedCallback } from "../sending/tasks.ts";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendFields, SendingWorld } from "../testing/sending-world.ts";
import { sandboxActionSchema } from "./schemas.ts";
import type { SandboxAction } from "./schemas.ts";
import { deliverRecipientAction, simulateRecipient } from "./simulate-recipient.ts";
import { postRecipientAction } from "./tasks.ts";

const database = await testDatabase();
const deps = { db: database.worker, publicUrl: env().publicUrl };
const rest = restClient(database.web);

/** The worker posts to the real callback route, in this process. */
function openDoor(): void {
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    serveCallback(new Request(url, init), new URL(url).pathname.split("/").at(-1) ?? "", {
      db: () => database.web,
    }),
  );
}
afterEach(() => vi.unstubAllGlobals());

/** Takes a message's waiting callbacks out of the queue and posts them. */
async function postAll(world: SendingWorld, id: string): Promise<void> {
  openDoor();
  const { rows } = await database.owner.query<{ task: string; payload: unknown }>(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id AND j.payload->>'notificationId' = $1 AND t.identifier IN ($2, $3)
     RETURNING t.identifier AS task, j.payload`,
    [id, postSimulatedCallback.name, postRecipientAction.name],
  );
  const steps = rows.sort(
    (a, b) => Number((a.payload as { step?: number }).step) - Number((b.payload as { step?: number }).step),
  );
  for (const { task, payload } of steps) {
    if (task === postSimulatedCallback.name) {
      await deliverSimulatedCallback(deps, postSimulatedCallback.payload.parse(payload));
    } else {
      await deliverRecipientAction(deps, postRecipientAction.payload.parse(payload));
    }
  }
}

async function makeSandbox() {
  const world = await makeSendingWorld(database);
  await world.tenant.addSimulator(["sandbox"]);
  return world;
}

const addWhatsapp = (world: SendingWorld, metadata: Record<string, unknown>) =>
  world.addTemplate({
    name: "order-whatsapp",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "whatsapp",
    body: "Order {{ code }}",
    metadata,
  });

async function sent(
  world: SendingWorld,
  channel: Channel,
  recipient: string,
  fields: SendFields = {},
): Promise<string> {
  const id = messageId(
    await world.send({ recipients: [{ channel, recipient }], ...fields }, { environment: "sandbox" }),
  );
  await world.runJobs();
  await postAll(world, id);
  return id;
}

const act = async (world: SendingWorld, id: string, action: SandboxAction) => {
  await simulateRecipient(world.tenant.as("developer"), { id, ...action });
  await postAll(world, id);
};
const typesOf = async (world: SendingWorld, id: string) =>
  (await world.events(id)).map((event) => event.type);
const conversation = async (world: SendingWorld) =>
  (
    await listConversations(world.tenant.as("owner"), {
      environmentId: world.tenant.environments.sandbox,
      limit: 10,
    })
  ).data[0];
const saidIn = async (world: SendingWorld) => {
  const found = await conversation(world);
  if (!found) return [];
  const { data } = await listConversationMessages(world.tenant.as("owner"), { id: found.id, limit: 50 });
  return data.filter((each) => each.direction === "inbound");
};

describe("scenarios of the sandbox, through the real callback route", () => {
  it("0008 is read on WhatsApp, and delivered on SMS, which has no read receipts", async () => {
    const world = await makeSandbox();
    await addWhatsapp(world, { templateName: "order_status" });
    expect(await typesOf(world, await sent(world, "whatsapp", "+4915100000008"))).toEqual([
      "queued",
      "sending",
      "sent",
      "delivered",
      "read",
    ]);
    expect(await typesOf(world, await sent(world, "sms", "+4915100000008"))).toEqual([
      "queued",
      "sending",
      "sent",
      "delivered",
    ]);
  });

  it("0009 answers, read@ opens, click@ clicks, softbounce@ fails without suppressing", async () => {
    const world = await makeSandbox();
    const answered = await sent(world, "sms", "+4915100000009");
    expect(await saidIn(world)).toMatchObject([{ text: "Thank you!", kind: null, repliesTo: null }]);
    expect(await conversation(world)).toMatchObject({ application: "shop", environment: "sandbox" });
    expect(await typesOf(world, answered)).toEqual(["queued", "sending", "sent", "delivered"]);
    expect(await typesOf(world, await sent(world, "email", "read@example.com"))).toContain("read");
    const clicked = await typesOf(world, await sent(world, "email", "click@example.com"));
    expect(clicked.slice(-3)).toEqual(["delivered", "read", "clicked"]);
    const bounced = await sent(world, "email", "softbounce@example.com");
    expect(await typesOf(world, bounced)).toEqual(["queued", "sending", "sent", "failed", "bounced"]);
    expect((await world.notification(bounced)).failure).toMatchObject({ providerCode: "4.2.2" });
    const { rows } = await database.owner.query("SELECT FROM suppressions WHERE tenant_id = $1", [
      world.tenantId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("the sandbox", () => {
  it("carries everything, whatever the rules say: none, and one that names a real connection only", async () => {
    const world = await makeSendingWorld(database);
    await world.tenant.addSimulator([]);
    const { id: real } = await world.addTwilio("http://127.0.0.1:9");
    for (const rules of [[], [[real]]]) {
      if (rules.length > 0) await world.addRule("sandbox", rules);
      for (const channel of ["sms", "email"] as const) {
        const to = channel === "sms" ? "+4915112345678" : "ada@example.com";
        expect((await typesOf(world, await sent(world, channel, to))).at(-1)).toBe("delivered");
      }
    }
    // Elsewhere nothing steps in.
    const production = messageId(await world.send());
    await world.runJobs();
    expect(await world.notification(production)).toMatchObject({ status: "failed", provider: null });
  });

  it("takes a free text on WhatsApp only from the recipient's own message until 24 hours later", async () => {
    const world = await makeSandbox();
    await addWhatsapp(world, { templateName: "order_status" });
    await world.addTemplate({
      name: "free",
      notificationType: "account",
      notificationSubtype: "maintenance",
      channel: "whatsapp",
      body: "Maintenance {{ code }}",
    });
    const id = await sent(world, "whatsapp", "+4915112345678");
    expect((await typesOf(world, id)).at(-1)).toBe("delivered");
    const free = { notificationType: "account", notificationSubtype: "maintenance" };
    const outcome = async () => {
      const { status, failure } = await world.notification(
        await sent(world, "whatsapp", "+4915112345678", free),
      );
      return [status, failure?.code];
    };
    expect(await outcome()).toEqual(["failed", "outside_conversation"]);
    await act(world, id, { action: "reply", text: "Hello" });
    expect(await outcome()).toEqual(["delivered", undefined]);
    await database.owner.query(
      "UPDATE conversations SET last_inbound_at = last_inbound_at - interval '24 hours' WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(await outcome()).toEqual(["failed", "outside_conversation"]);
  });

  it("is not the only place whose simulated messages say so", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    await tenant.addSimulator(["production", "sandbox"]);
    const ids = [messageId(await world.send()), await sent(world, "sms", "+4915112345678")];
    await world.runJobs();
    const viewer = tenant.as("owner");
    for (const id of ids) {
      expect(await getNotification(viewer, { id })).toMatchObject({ simulated: true });
    }
    await foldMetrics(database.worker);
    const found = async (environmentId: string, simulated: boolean) =>
      (await countMessages(viewer, { environmentId, simulated })).count;
    const { production, staging, sandbox } = tenant.environments;
    expect([await found(production, true), await found(production, false)]).toEqual([1, 0]);
    expect([await found(sandbox, true), await found(sandbox, false)]).toEqual([1, 0]);
    expect(await found(staging, true)).toBe(0);
    const { totals } = await overviewReport(viewer, { period: "24h", environmentId: production });
    expect(totals).toMatchObject({ accepted: 1, delivered: 0, failed: 0 });
    const { id: twilio } = await world.addTwilio("http://127.0.0.1:9");
    await world.addRule("staging", [[twilio]]);
    const real = messageId(await world.send({}, { environment: "staging" }));
    await world.runJobs();
    expect(await getNotification(viewer, { id: real })).toMatchObject({ simulated: false });
    expect([await found(staging, true), await found(staging, false)]).toEqual([0, 1]);
  });
});

describe("a rule outside the sandbox that uses the simulator", () => {
  it("changes no consent and suppresses nobody there, whatever the simulator says", async () => {
    const world = await makeSendingWorld(database);
    await world.tenant.addSimulator(["production", "sandbox"]);
    const simulated = async (channel: Channel, recipient: string) => {
      const id = messageId(await world.send({ recipients: [{ channel, recipient }] }));
      await world.runJobs();
      await postAll(world, id);
      return (await getNotification(world.tenant.as("owner"), { id })).status;
    };
    expect(await simulated("sms", "+4915100000006")).toBe("failed");
    expect(await simulated("email", "bounce+order-7@example.com")).toBe("failed");
    expect(await simulated("email", "complaint+order-7@example.com")).toBe("delivered");
    const id = await sent(world, "sms", "+4915112345678");
    expect(await simulated("sms", "+4915112345678")).toBe("delivered");
    await act(world, id, { action: "optOut" });
    const { rows } = await database.owner.query<{ address: string; sandbox: boolean }>(
      `SELECT DISTINCT address, sandbox FROM (SELECT tenant_id, address, sandbox FROM consent_entries
         UNION ALL SELECT tenant_id, address, sandbox FROM suppressions) held WHERE tenant_id = $1 ORDER BY address`,
      [world.tenantId],
    );
    expect(rows).toEqual([
      { address: "+4915112345678", sandbox: true },
      { address: "bounce+order-7@example.com", sandbox: true },
      { address: "complaint+order-7@example.com", sandbox: true },
    ]);
  });
});

describe("acting as a recipient of the sandbox", () => {
  it("answers, opts out and in again, through the provider's own callbacks", async () => {
    const world = await makeSandbox();
    const id = await sent(world, "sms", "+4915112345678");
    await act(world, id, { action: "reply", text: "Please ring twice \u{1F514}" });
    expect(await saidIn(world)).toMatchObject([{ text: "Please ring twice \u{1F514}" }]);
    await act(world, id, { action: "optOut" });
    expect(await conversation(world)).toMatchObject({ optedOut: true, unread: 2 });
    await act(world, id, { action: "optIn" });
    expect(await conversation(world)).toMatchObject({ optedOut: false });
    // Nothing of it reaches production.
    const { rows } = await database.owner.query(
      "SELECT DISTINCT sandbox FROM consent_entries WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows).toEqual([{ sandbox: true }]);
    const real = await listConversations(world.tenant.as("owner"), {
      environmentId: world.tenant.environments.production,
      limit: 10,
    });
    expect(real.data).toEqual([]);
  });

  it("taps a button of the template, which answers the message that contains it", async () => {
    const world = await makeSandbox();
    await addWhatsapp(world, {
      templateName: "order_status",
      buttons: [
        { type: "url", text: "Track", url: "https://shop.example/t" },
        { type: "quick_reply", text: "Confirm", payload: "confirm" },
        { type: "quick_reply", text: "Call me" },
      ],
    });
    const id = await sent(world, "whatsapp", "+4915112345678");
    await act(world, id, { action: "tap", button: 0 });
    await act(world, id, { action: "tap", button: 1 });
    expect((await saidIn(world)).map(({ text, button, repliesTo }) => ({ text, button, repliesTo }))).toEqual(
      [
        { text: "Call me", button: { payload: "Call me", text: "Call me" }, repliesTo: id },
        { text: "Confirm", button: { payload: "confirm", text: "Confirm" }, repliesTo: id },
      ],
    );
    await expect(
      simulateRecipient(world.tenant.as("developer"), { id, action: "tap", button: 2 }),
    ).rejects.toMatchObject({ code: "invalid_request" });
    await act(world, id, { action: "open" });
    expect(await typesOf(world, id)).toContain("read");
  });

  it("opens, clicks, complains, unsubscribes and bounces on e-mail, with the real consequences", async () => {
    const world = await makeSandbox();
    const id = await sent(world, "email", "ada@example.com");
    await act(world, id, { action: "open" });
    await act(world, id, { action: "click" });
    await act(world, id, { action: "complain" });
    expect((await typesOf(world, id)).slice(-3)).toEqual(["read", "clicked", "complained"]);
    const leaves = await sent(world, "email", "leaves@example.com");
    await act(world, leaves, { action: "optOut" });
    const bounces = await sent(world, "email", "late@example.com");
    await act(world, bounces, { action: "bounce", permanent: true });
    expect(await typesOf(world, bounces)).toContain("bounced");
    const { rows: suppressed } = await database.owner.query(
      "SELECT address, reason, sandbox FROM suppressions WHERE tenant_id = $1 ORDER BY address",
      [world.tenantId],
    );
    expect(suppressed).toEqual([
      { address: "ada@example.com", reason: "complaint", sandbox: true },
      { address: "late@example.com", reason: "hard_bounce", sandbox: true },
    ]);
    const { rows: consents } = await database.owner.query(
      "SELECT address, state, source, sandbox FROM consent_entries WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(consents).toEqual([
      { address: "leaves@example.com", state: "opted_out", source: "provider", sandbox: true },
    ]);
  });

  it("lets the provider report the outcome of a silent message late", async () => {
    const world = await makeSandbox();
    const id = await sent(world, "sms", "+4915100000007");
    await world.passTime(61_000);
    await world.runJobs();
    await act(world, id, { action: "deliver" });
    expect((await typesOf(world, id)).at(-1)).toBe("delivered");
  });

  it("happens once even if the job runs twice, is audited, and puts no text into the queue", async () => {
    const world = await makeSandbox();
    const id = await sent(world, "sms", "+4915112345678");
    await simulateRecipient(world.tenant.as("developer"), { id, action: "reply", text: "my secret words" });
    const { rows } = await database.owner.query<{ payload: Record<string, unknown> }>(
      "SELECT payload FROM graphile_worker._private_jobs WHERE payload->>'actionId' IS NOT NULL AND payload->>'notificationId' = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("secret words");
    openDoor();
    const payload = postRecipientAction.payload.parse(rows[0]?.payload);
    await deliverRecipientAction(deps, payload);
    await deliverRecipientAction(deps, payload);
    expect(await saidIn(world)).toHaveLength(1);
    const { rows: audit } = await database.owner.query(
      "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'sandbox.recipient_simulated' AND target_id = $2",
      [world.tenantId, id],
    );
    expect(audit).toEqual([{ data: { action: "reply" } }]);
  });

  it("is refused outside the sandbox, before the provider accepted the message, and where it is impossible", async () => {
    const world = await makeSandbox();
    const developer = world.tenant.as("developer");
    const production = messageId(await world.send());
    await expect(simulateRecipient(developer, { id: production, action: "open" })).rejects.toMatchObject({
      code: "conflict",
    });
    const refused = messageId(
      await world.send(
        { recipients: [{ channel: "sms", recipient: "+4915100000001" }] },
        { environment: "sandbox" },
      ),
    );
    await world.runJobs();
    await expect(
      simulateRecipient(developer, { id: refused, action: "reply", text: "x" }),
    ).rejects.toMatchObject({ code: "conflict" });
    const sms = await sent(world, "sms", "+4915112345678");
    for (const action of ["open", "click", "bounce", "complain", "tap"] as const) {
      await expect(
        simulateRecipient(developer, { id: sms, action, button: 0 }),
        action,
      ).rejects.toMatchObject({
        code: "invalid_request",
      });
    }
    const mail = await sent(world, "email", "ada@example.com");
    for (const action of ["reply", "optIn"] as const) {
      await expect(
        simulateRecipient(developer, { id: mail, action, text: "x" }),
        action,
      ).rejects.toMatchObject({
        code: "invalid_request",
      });
    }
    expect(sandboxActionSchema.safeParse({ action: "reply" }).success).toBe(false);
    expect(sandboxActionSchema.safeParse({ action: "tap" }).success).toBe(false);
    await expect(
      simulateRecipient(world.tenant.as("owner", world.tenant.units.beta), { id: sms, action: "optOut" }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("works over REST with a key of the sandbox", async () => {
    const world = await makeSandbox();
    const { key } = await world.tenant.makeKey("sandbox", { role: "developer" });
    const id = await sent(world, "sms", "+4915112345678");
    const answer = await rest.post(`/v1/sandbox/messages/${id}/actions`, {
      key,
      json: { action: "reply", text: "Over REST" },
    });
    expect([answer.status, answer.body]).toEqual([202, { notificationId: id, action: "reply" }]);
    await postAll(world, id);
    const list = await rest.get<{ data: { id: string; address: string }[] }>(
      "/v1/conversations?address=%2B49%20151%2012345678",
      { key },
    );
    expect(list.body.data).toMatchObject([{ address: "+4915112345678" }]);
    const said = await rest.get<{ data: unknown[] }>(
      `/v1/conversations/${list.body.data[0]?.id ?? ""}/messages`,
      { key },
    );
    expect(said.body.data).toMatchObject([
      { text: "Over REST" },
      { direction: "outbound", status: "delivered" },
    ]);
    expect(
      (await rest.post(`/v1/sandbox/messages/${id}/actions`, { key, json: { action: "reply" } })).status,
    ).toBe(422);
  });
});
