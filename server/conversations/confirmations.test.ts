import { afterAll, describe, expect, it } from "vitest";
import type { InboundMessage } from "../adapters/adapter.ts";
import { askBounds, askConfirmation, getConfirmation } from "../consent/ask-confirmation.ts";
import { confirmationUrl } from "../consent/confirmation-token.ts";
import { forgetRecipients, prepareToForget } from "../consent/forget-recipient.ts";
import { getConsents } from "../consent/list-consents.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { confirmationAskInSchema } from "../consent/schemas.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { serveConfirmation } from "../rest/serve-confirmation.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { runReplies } from "../testing/replies.ts";
import { claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";

const database = await testDatabase();
const mail = await startMailServer();
afterAll(() => mail.close());
const number = "+4930123456";
const hour = 3_600_000;

let people = 0;
const someone = () => `ada-${String(++people)}@example.com`;
const somebodysNumber = () => `+49151${String(20_000_000 + ++people)}`;

async function makeWorld() {
  const provider = await startFakeTwilio();
  const world = await makeSendingWorld(database);
  const smtp = await world.addSmtp(mail.port, { name: "Mail" });
  const { id: twilio } = await world.addTwilio(provider.baseUrl, { name: "Number" });
  const { id: other } = await world.addTwilio(provider.baseUrl, {
    name: "Other",
    senders: [{ channel: "sms", sender: "+4940999999" }],
  });
  await world.addRule("production", [[smtp]], { channel: "email" });
  await world.addRule("production", [[twilio]], { channel: "sms" });
  await world.addRule("production", [[twilio]], { channel: "whatsapp" });
  const { tenant, tenantId } = world;
  const environmentId = tenant.environments.production;
  const owner = tenant.as("owner");
  const ask = (fields: Record<string, unknown> = {}, ctx: Ctx = owner) =>
    askConfirmation(
      ctx,
      confirmationAskInSchema.parse({
        environmentId,
        id: newId(),
        application: "shop",
        channel: "email",
        evidence: { form: "newsletter" },
        ...fields,
      }),
    );
  const run = () => runReplies(database, world);
  const mailsTo = (to: string) => mail.received.filter((each) => each.to.includes(to));
  const tokenIn = (raw: string) =>
    /api\/app\/confirm\/([\w-]+)/.exec(raw.replaceAll(/=\r\n/g, ""))?.[1] ?? "";
  const open = async (token: string, method = "GET", body?: Record<string, string>) => {
    const init = { method, ...(body ? { body: new URLSearchParams(body) } : {}) };
    const answer = await serveConfirmation(
      new Request(`https://tidings.example/api/app/confirm/${token}`, init),
      token,
      { db: () => database.web },
    );
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const press = (token: string) => open(token, "POST", { form: "confirmation" });
  const ledger = async (address: string) =>
    (
      await database.owner.query<{
        class: string | null;
        state: string;
        source: string;
        region: string | null;
        evidence: Record<string, string>;
      }>(
        `SELECT class, state, source, region, evidence FROM consent_entries WHERE tenant_id = $1 AND address = $2 ORDER BY at, id`,
        [tenantId, address],
      )
    ).rows;
  const stateOf = async (id: string) => (await getConfirmation(owner, { environmentId, id })).state;
  const say = (address: string, state: "opted_in" | "opted_out", more: object = {}) =>
    inTenant(tenant.system, (tx) =>
      recordConsent(tenant.system, tx, {
        sandbox: false,
        channel: address.includes("@") ? "email" : "sms",
        address,
        state,
        source: "api",
        ...more,
      }),
    );
  const pass = (ms: number) =>
    database.owner.query(
      `UPDATE consent_confirmations SET created_at = created_at - $2 * interval '1 ms', expires_at = expires_at - $2 * interval '1 ms'
       WHERE tenant_id = $1`,
      [tenantId, ms],
    );
  const hear = (text: string, from: string, fields: Partial<InboundMessage> = {}, over = twilio) =>
    recordInbound(tenant.system, {
      connectionId: over,
      inbound: [{ providerMessageId: newId(), channel: "sms", from, to: number, text, ...fields }],
    });
  const textsTo = (to: string) => provider.messages.filter((each) => each.to === to);
  return {
    ...{ world, tenant, tenantId, environmentId, owner, provider, twilio, other },
    ...{ ask, run, mailsTo, tokenIn, open, press, ledger, stateOf, say, pass, hear, textsTo },
  };
}
const world = await makeWorld();

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) =>
      error instanceof DomainError ? (error.errors[0]?.code ?? error.code) : String(error),
  );

describe("double opt-in by e-mail", () => {
  it("is agreed to by a button only: the opt-in has the evidence of both, once, however often it is pressed", async () => {
    const { ask, run, mailsTo, tokenIn, open, press, ledger, stateOf, say } = world;
    const address = someone();
    // Somebody who had opted out long ago, and signs up again.
    await say(address, "opted_out", { class: "marketing", at: new Date(Date.now() - 1_000) });
    const asked = await ask({ address, region: "DE", language: "de" });
    expect(asked).toMatchObject({ state: "pending", address, class: "marketing", confirmedAt: null });
    await run();
    const [received] = mailsTo(address);
    expect(received?.raw).toContain("Ja, ich stimme zu");
    expect(mailsTo(address)).toHaveLength(1);
    const token = tokenIn(received?.raw ?? "");
    for (const method of ["GET", "HEAD", "GET"]) {
      const page = await open(token, method);
      expect(page.status).toBe(200);
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.headers.get("set-cookie")).toBeNull();
      expect(page.text).toContain('lang="de"');
    }
    const others: (Record<string, string> | undefined)[] = [
      undefined,
      { "List-Unsubscribe": "One-Click" },
      { form: "preferences" },
    ];
    for (const body of others) {
      expect((await open(token, "POST", body)).status).toBe(422);
    }
    expect(await ledger(address)).toHaveLength(1);
    expect(await stateOf(asked.id)).toBe("pending");
    const [done] = await Promise.all(Array.from({ length: 5 }, () => press(token)));
    expect(done?.text).toContain("das ist bestätigt");
    expect(done?.text).toContain("/api/app/unsubscribe/");
    expect((await press(token)).text).toContain("das ist bestätigt");
    expect((await ledger(address)).slice(1)).toEqual([
      {
        class: "marketing",
        state: "opted_in",
        source: "double_opt_in",
        region: "DE",
        evidence: {
          form: "newsletter",
          recordedBy: "Owner",
          confirmationId: asked.id,
          askedAt: asked.askedAt,
          confirmedAt: expect.any(String) as string,
          confirmedBy: "link in the e-mail",
        },
      },
    ]);
    expect(await stateOf(asked.id)).toBe("confirmed");
    const { rows: trail } = await database.owner.query<{ action: string; actor_name: string; data: object }>(
      "SELECT action, actor_name, data FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
      [world.tenantId, asked.id],
    );
    expect(trail).toMatchObject([
      { action: "consent_confirmation.asked", actor_name: "Owner" },
      { action: "consent_confirmation.confirmed", actor_name: "Confirmation link" },
    ]);
    // The address as a token only.
    expect(JSON.stringify(trail)).not.toContain(address);
  });

  it("has a link that is in no table, log or page of the portal: only its recipient can press it", async () => {
    const { ask, run, mailsTo, tokenIn, tenantId } = world;
    const address = someone();
    const { id } = await ask({ address });
    await run();
    const token = tokenIn(mailsTo(address)[0]?.raw ?? "");
    expect(token.length).toBeGreaterThan(40);
    const { rows } = await database.owner.query<{ variables: object }>(
      `SELECT r.variables FROM send_requests r JOIN notifications n ON n.request_id = r.id AND n.tenant_id = r.tenant_id
       WHERE n.tenant_id = $1 AND n.id = $2`,
      [tenantId, id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("api/app/confirm");
  });

  it("that is expired, withdrawn, forged or of another organisation changes nothing", async () => {
    const { ask, run, mailsTo, tokenIn, open, press, ledger, stateOf, say, pass } = world;
    const [late, changed] = [someone(), someone()];
    const expiring = await ask({ address: late, expiresInHours: 1 });
    await run();
    await pass(2 * hour);
    const lateToken = tokenIn(mailsTo(late)[0]?.raw ?? "");
    expect((await press(lateToken)).text).toContain("This request has expired");
    expect(await stateOf(expiring.id)).toBe("expired");
    expect(await ledger(late)).toEqual([]);

    const withdrawn = await ask({ address: changed });
    await run();
    // Of another class: that says nothing about this one.
    await say(changed, "opted_out", { class: "service" });
    expect(await stateOf(withdrawn.id)).toBe("pending");
    await say(changed, "opted_out");
    const token = tokenIn(mailsTo(changed)[0]?.raw ?? "");
    expect((await press(token)).text).toContain("You have opted out since");
    expect(await stateOf(withdrawn.id)).toBe("withdrawn");
    expect((await ledger(changed)).map(({ state }) => state)).toEqual(["opted_out", "opted_out"]);

    const other = token.at(-5) === "A" ? "B" : "A";
    for (const forged of [
      "x",
      token.slice(0, -4),
      token.slice(0, -5) + other + token.slice(-4),
      "a".repeat(300),
    ]) {
      expect((await open(forged)).status).toBe(404);
      expect((await press(forged)).status).toBe(404);
    }
    const stranger = await makeWorld();
    const foreign = confirmationUrl("", {
      tenantId: stranger.tenantId,
      messageId: withdrawn.id,
      language: "en",
    });
    expect((await press(foreign.slice("/api/app/confirm/".length))).status).toBe(404);
  });

  it("ends with the erasure of its recipient", async () => {
    const { ask, run, mailsTo, tokenIn, press, ledger, tenant } = world;
    const address = someone();
    await ask({ address });
    await run();
    const key = await prepareToForget(tenant.worker);
    await inTenant(tenant.worker, (tx) => forgetRecipients(tx, tenant.tenantId, key, [address]));
    expect((await press(tokenIn(mailsTo(address)[0]?.raw ?? ""))).status).toBe(404);
    expect(await ledger(address)).toEqual([]);
  });
});

describe("who asks", () => {
  it("under one id asks once, and another address under the same id is refused", async () => {
    const { ask, run, mailsTo } = world;
    const [address, id] = [someone(), newId()];
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => ask({ address, id })));
    for (const each of others) expect(each.id).toBe(first?.id);
    await run();
    expect(mailsTo(address)).toHaveLength(1);
    expect(await codeOf(ask({ address: someone(), id }))).toBe("idempotency_mismatch");
  });

  it("needs the permission to record consent there, and an agent never asks in somebody's place", async () => {
    const { ask, tenant, environmentId } = world;
    const address = someone();
    expect(await codeOf(ask({ address }, tenant.as("developer")))).toBe("permission_denied");
    const alpha = tenant.as("owner", tenant.units.alpha);
    expect(await codeOf(ask({ address: someone() }, alpha))).toBe("allowed");
    // Of another team: as if there were none.
    expect(await codeOf(ask({ address, application: "desk" }, alpha))).toBe("unknown_application");
    const grant = {
      permissions: new Set(["consent:write"]),
      unitId: null,
      applicationId: null,
      environmentId,
    };
    const agent: Ctx = {
      ...tenant.system,
      grants: [grant],
      actor: {
        type: "apiKey",
        id: newId(),
        name: "Agent",
        agent: { id: newId(), hourlyCap: 5, allows: () => true },
      } as unknown as Ctx["actor"],
    };
    expect(await codeOf(ask({ address }, agent))).toBe("agent_limit");
    const staging: Ctx = {
      ...tenant.system,
      grants: [{ ...grant, environmentId: tenant.environments.staging }],
      actor: { type: "apiKey", id: newId(), name: "Staging" },
    };
    expect(await codeOf(ask({ address, environmentId: tenant.environments.staging }, staging))).toBe(
      "environment_mismatch",
    );
  });
});

describe("a flood of sign-ups", () => {
  it("with somebody else's address sends them one message an hour and three a day", async () => {
    const { ask, run, mailsTo, pass, stateOf } = world;
    const address = someone();
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask({ address })));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    await run();
    expect(mailsTo(address)).toHaveLength(1);
    for (const messages of [2, 3]) {
      await pass(2 * hour);
      await ask({ address });
      await run();
      expect(mailsTo(address)).toHaveLength(messages);
    }
    await pass(2 * hour);
    expect(await codeOf(ask({ address }))).toBe("rate_limited");
    expect(await codeOf(ask({ address, class: "service" }))).toBe("rate_limited");
    // The links of all three lead to the same confirmation.
    await world.press(world.tokenIn(mailsTo(address)[1]?.raw ?? ""));
    expect(await stateOf(asked[0]?.id ?? "")).toBe("confirmed");
    await pass(24 * hour);
    expect(await codeOf(ask({ address }))).toBe("allowed");
  });

  it("of one organisation ends at 5,000 messages an hour, and another organisation asks on", async () => {
    const flooded = await makeWorld();
    await flooded.ask({ address: someone() });
    await database.owner.query(
      `INSERT INTO consent_confirmations (tenant_id, id, open_id, sandbox, channel, address, class, application_id, environment_id,
         item_id, sent, created_at, expires_at)
       SELECT tenant_id, new_id, new_id, sandbox, channel, 'flood-' || n || '@example.com', class, application_id, environment_id,
         'flood ' || n, true, created_at, expires_at
       FROM (SELECT c.*, uuidv7_new() AS new_id, n FROM consent_confirmations c, generate_series(1, 4999) AS n WHERE c.tenant_id = $1) AS x`,
      [flooded.tenantId],
    );
    const inSandbox = (is: boolean) =>
      database.owner.query(
        "UPDATE consent_confirmations SET sandbox = $2 WHERE tenant_id = $1 AND item_id LIKE 'flood %'",
        [flooded.tenantId, is],
      );
    // Whoever plays in the sandbox takes nothing from production.
    await inSandbox(true);
    expect(await codeOf(flooded.ask({ address: someone() }))).toBe("allowed");
    await inSandbox(false);
    expect(await codeOf(flooded.ask({ address: someone() }))).toBe("rate_limited");
    expect(await codeOf(world.ask({ address: someone() }))).toBe("allowed");
    await flooded.pass(hour);
    expect(await codeOf(flooded.ask({ address: someone() }))).toBe("allowed");
  });

  it("for one address again and again ends, before asking becomes dear", async () => {
    const { ask } = await makeWorld();
    const address = someone();
    const { id } = await ask({ address });
    for (let count = 0; count < askBounds.repeated; count++) expect((await ask({ address })).id).toBe(id);
    expect(await codeOf(ask({ address }))).toBe("rate_limited");
    expect(await codeOf(ask({ address: someone() }))).toBe("allowed");
  });

  it("never reaches a suppressed address, also one that is suppressed after it was asked for", async () => {
    const { ask, run, mailsTo, tenantId, world: sending } = world;
    const [known, soon] = [someone(), someone()];
    const suppress = (address: string) =>
      database.owner.query(
        "INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason) VALUES ($1, $2, false, 'email', $3, 'complaint')",
        [tenantId, newId(), address],
      );
    await suppress(known);
    expect(await codeOf(ask({ address: known }))).toBe("suppressed");
    const { id } = await ask({ address: soon });
    await suppress(soon);
    await run();
    expect(mailsTo(soon)).toEqual([]);
    expect((await sending.notification(id)).reason_code).toBe("suppressed");
  });
});

describe("double opt-in by one word", () => {
  it("is a yes in the recipient's language, from the address that was asked to the number that asked", async () => {
    const { ask, run, textsTo, hear, ledger, stateOf, other } = world;
    const ada = somebodysNumber();
    // Nobody asked yet.
    await hear("ja", ada);
    const { id } = await ask({ channel: "sms", address: ada, language: "de" });
    await run();
    expect(textsTo(ada).map(({ body }) => body)).toEqual([
      expect.stringMatching(/Antworten Sie JA für: Angebote/) as string,
    ]);
    await hear("Ja", somebodysNumber());
    await hear("Ja", ada, { to: "+4940999999" }, other);
    await hear("ja aber nur heute", ada);
    await hear("ja?", ada);
    expect(await stateOf(id)).toBe("pending");
    expect(await ledger(ada)).toEqual([]);
    const yes = { providerMessageId: newId() };
    await Promise.all([hear("Ja, bitte!", ada, yes), hear("Ja, bitte!", ada, yes)]);
    await hear("ja", ada);
    expect(await stateOf(id)).toBe("confirmed");
    expect(await ledger(ada)).toMatchObject([
      {
        class: "marketing",
        state: "opted_in",
        source: "double_opt_in",
        evidence: { form: "newsletter", confirmedBy: "word", word: "ja" },
      },
    ]);
    // Thanked once, with how to end it.
    await run();
    expect(
      textsTo(ada)
        .slice(1)
        .map(({ body }) => body),
    ).toEqual([expect.stringMatching(/Bestätigt\. Sie erhalten: Angebote\. Mit STOP abmelden/) as string]);
  });

  it("may be START, comes too late after the end, and a STOP in between withdraws it", async () => {
    const { ask, run, hear, ledger, stateOf, pass } = world;
    const [start, late, stop] = [somebodysNumber(), somebodysNumber(), somebodysNumber()];
    const first = await ask({ channel: "sms", address: start });
    const second = await ask({ channel: "sms", address: late, expiresInHours: 1 });
    await run();
    await hear("START", start);
    expect(await stateOf(first.id)).toBe("confirmed");
    expect((await ledger(start)).filter(({ source }) => source === "double_opt_in")).toHaveLength(1);
    await pass(hour);
    await hear("yes", late);
    expect(await stateOf(second.id)).toBe("expired");
    const third = await ask({ channel: "sms", address: stop });
    await run();
    await hear("stop", stop);
    await hear("yes", stop);
    expect(await stateOf(third.id)).toBe("withdrawn");
    expect((await ledger(stop)).every(({ state }) => state === "opted_out")).toBe(true);
  });

  it("is no yes to something else: neither to a message that is quoted, nor to one that came later", async () => {
    const { ask, run, hear, stateOf, world: sending, twilio, textsTo } = world;
    /** A message of theirs over the same number, and the provider's id of it. */
    const remind = async (to: string) => {
      const id = messageId(await sending.send({ recipients: [{ channel: "sms", recipient: to }] }));
      await sending.advance(id, claimOver(twilio, newId(), "P"));
      const providerMessageId = `SM${id.replaceAll("-", "")}`;
      await sending.advance(id, takenBy(1, { providerMessageId }));
      return providerMessageId;
    };
    const providersIdOf = async (id: string) => (await sending.notification(id)).provider_message_id ?? "";
    const button = { payload: "YES", text: "Yes" };

    const ada = somebodysNumber();
    const before = await remind(ada);
    const { id } = await ask({ channel: "sms", address: ada });
    await run();
    const question = await providersIdOf(id);
    expect(question).not.toBe("");
    await hear("yes", ada, { repliesTo: before });
    await hear("START", ada, { repliesTo: before });
    await hear("START", ada, { repliesTo: before, optOut: "start" });
    await hear("yes", ada, { repliesTo: "unknown" });
    await hear("Yes", ada, { button, repliesTo: before });
    await hear("Yes", ada, { button });
    await hear("yes", ada, { kind: "image" });
    expect(await stateOf(id)).toBe("pending");
    await run();
    // Automatic replies ask nothing.
    await hear("help", ada);
    await run();
    expect(textsTo(ada).at(-1)?.body).toContain("This number sends you messages");
    await hear("yes", ada);
    expect(await stateOf(id)).toBe("confirmed");

    const bob = somebodysNumber();
    const { id: older } = await ask({ channel: "sms", address: bob });
    await run();
    const quoted = await providersIdOf(older);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await remind(bob);
    await hear("yes", bob);
    expect(await stateOf(older)).toBe("pending");
    await hear("yes", bob, { repliesTo: quoted });
    expect(await stateOf(older)).toBe("confirmed");
  });

  it("is a yes to what was asked, whatever was planned since, and none to what was planned before and came after", async () => {
    const { ask, run, hear, stateOf, world: sending, twilio } = world;
    const ada = somebodysNumber();
    const planned = async () =>
      messageId(await sending.send({ recipients: [{ channel: "sms", recipient: ada }] }));
    const early = await planned();
    const { id } = await ask({ channel: "sms", address: ada });
    await database.owner.query("DELETE FROM graphile_worker._private_jobs WHERE payload::text LIKE $1", [
      `%${early}%`,
    ]);
    await run();
    await sending.advance(early, claimOver(twilio, newId(), "P"));
    await sending.advance(early, takenBy(1, { providerMessageId: `SM${early.replaceAll("-", "")}` }));
    await hear("yes", ada);
    expect(await stateOf(id)).toBe("pending");

    const bob = somebodysNumber();
    const { id: second } = await ask({ channel: "sms", address: bob });
    await run();
    await sending.send({
      recipients: [{ channel: "sms", recipient: bob }],
      scheduledAt: new Date(Date.now() + hour).toISOString(),
    });
    await hear("yes", bob);
    expect(await stateOf(second)).toBe("confirmed");
  });

  it("is asked on WhatsApp only while the recipient's window is open, in that conversation", async () => {
    const { ask, run, hear, provider, stateOf, twilio, world: sending, tenantId } = world;
    const ada = somebodysNumber();
    expect(await codeOf(ask({ channel: "whatsapp", address: ada }))).toBe("window_closed");
    // The switch in their app is no message.
    const own = { kind: "user_preferences", optOut: "start" } as const;
    await hear("", ada, { channel: "whatsapp", ...own });
    await database.owner.query(
      "UPDATE provider_connections SET inbound_application_id = $3, inbound_environment_id = $4 WHERE tenant_id = $1 AND id = $2",
      [tenantId, twilio, sending.tenant.application.id, sending.tenant.environments.production],
    );
    await hear("", ada, { channel: "whatsapp", ...own });
    expect(await codeOf(ask({ channel: "whatsapp", address: ada }))).toBe("window_closed");
    await hear("hello", ada, { channel: "whatsapp" });
    const { id } = await ask({ channel: "whatsapp", address: ada });
    await run();
    expect(provider.messages.filter(({ to }) => to.includes(ada))).toHaveLength(1);
    await hear("Yes please", ada, { channel: "whatsapp" });
    expect(await stateOf(id)).toBe("confirmed");
  });
});

it("an open confirmation is shown with the consent of its address, masked for those who may not see it", async () => {
  const { ask, owner, environmentId, tenant } = world;
  const address = someone();
  const { id } = await ask({ address });
  const look = (ctx: Ctx) => getConsents(ctx, { environmentId, address, limit: 10 });
  expect((await look(owner)).confirmations).toMatchObject([{ id, state: "pending", address }]);
  const blind = tenant.as("administrator");
  expect(await codeOf(look(blind))).toBe("permission_denied");
  expect((await getConfirmation(blind, { environmentId, id })).address).not.toBe(address);
});

it("in the sandbox counts in the sandbox only; there alone the portal shows the link", async () => {
  const { ask, run, owner, tenant, press } = world;
  const { sandbox, production } = tenant.environments;
  const [tried, real] = [someone(), someone()];
  const shown = async (id: string) => JSON.stringify((await getTimeline(owner, { id })).preview);
  const { id } = await ask({ address: tried, environmentId: sandbox });
  const { id: other } = await ask({ address: real });
  await run();
  expect(await shown(other)).toContain("Yes, I agree");
  expect(await shown(other)).not.toContain("/api/app/confirm/");
  const token = /\/api\/app\/confirm\/([\w-]+)/.exec(await shown(id))?.[1] ?? "";
  expect((await press(token)).text).toContain("s confirmed");
  const stateIn = (environmentId: string) => getConfirmation(owner, { environmentId, id });
  expect((await stateIn(sandbox)).state).toBe("confirmed");
  expect(await codeOf(stateIn(production))).toBe("not_found");
  const marketing = async (environmentId: string) =>
    (await getConsents(owner, { environmentId, address: tried, limit: 5 })).standing[0]?.states.find(
      (each) => each.class === "marketing" && each.region === null,
    )?.state;
  expect([await marketing(sandbox), await marketing(production)]).toEqual(["opted_in", null]);
});

it("an organisation's name is text wherever it stands: in the mail and on the page", async () => {
  const hostile = await makeWorld();
  const name = '<img src=x onerror="alert(1)">{{ link }}{wanted}';
  await database.owner.query("UPDATE tenants SET name = $2 WHERE id = $1", [hostile.tenantId, name]);
  forgetCatalogue(hostile.tenantId);
  const address = someone();
  await hostile.ask({ address });
  await hostile.run();
  const raw = (hostile.mailsTo(address)[0]?.raw ?? "").replaceAll(/=\r\n/g, "");
  expect(raw.slice(raw.indexOf("<!doctype"))).not.toContain("<img");
  expect(raw.match(/api\/app\/confirm\//g)?.length).toBeLessThanOrEqual(2);
  const token = hostile.tokenIn(raw);
  for (const page of [await hostile.open(token), await hostile.press(token)]) {
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("<img src=x");
    expect(page.text).toContain("&lt;img");
  }
});
