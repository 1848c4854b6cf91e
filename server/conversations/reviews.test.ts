import { describe, expect, it } from "vitest";
import type { InboundMessage } from "../adapters/adapter.ts";
import { decideReview, expireReviews } from "../consent/decide-review.ts";
import { getConsents } from "../consent/list-consents.ts";
import { countReviews, listReviews } from "../consent/list-reviews.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import { inTenant } from "../kernel/db.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";

const database = await testDatabase();
const ada = "+4915112345678";
let counter = 0;
const message = (text: string, fields: Partial<InboundMessage> = {}): InboundMessage => ({
  providerMessageId: `review-${String(++counter)}`,
  channel: "sms",
  from: ada,
  to: "+4930123456",
  text,
  ...fields,
});
const unclear = "How can I stop my order?";

async function worldWith() {
  const world = await makeSendingWorld(database);
  const { id: connection } = await world.addTwilio("http://127.0.0.1:9");
  const { tenant } = world;
  const owner = tenant.as("owner");
  const environmentId = tenant.environments.production;
  const hear = (...inbound: InboundMessage[]) =>
    recordInbound(tenant.system, { connectionId: connection, inbound });
  const agree = (region?: string) =>
    inTenant(tenant.system, (tx) =>
      recordConsent(tenant.system, tx, {
        sandbox: false,
        channel: "sms",
        address: ada,
        state: "opted_in",
        class: "marketing",
        source: "api",
        ...(region === undefined ? {} : { region }),
      }),
    );
  const offer = async (region = "DE") => {
    const id = messageId(
      await world.send({
        notificationType: "marketing",
        notificationSubtype: "promotion",
        region,
        recipients: [{ channel: "sms", recipient: ada }],
      }),
    );
    return (await world.notification(id)).reason_code;
  };
  const waiting = async () => (await listReviews(owner, { environmentId, limit: 50 })).data;
  const decide = async (decision: "marketing" | "all" | "no_opt_out") =>
    decideReview(owner, { environmentId, id: (await waiting())[0]?.id ?? "", decision });
  const history = async () =>
    (await getConsents(owner, { environmentId, address: ada, channel: "sms", limit: 50 })).history.data.map(
      ({ state, class: of, source }) => [state, of, source],
    );
  return { world, owner, environmentId, hear, agree, offer, waiting, decide, history };
}

describe("what may be a no", () => {
  it("holds marketing back, and nothing else, until somebody has decided; that it was none leaves everything as it was", async () => {
    const { world, hear, agree, offer, waiting, decide, history, owner, environmentId } = await worldWith();
    await agree("FR");
    await agree("DE");
    const before = await history();
    expect([await offer("DE"), await offer("FR"), await offer("IT")]).toEqual([null, null, "consent_denied"]);
    await hear(message(unclear), message(unclear));
    expect([await offer("DE"), await offer("FR")]).toEqual(["consent_denied", "consent_denied"]);
    const order = messageId(await world.send({ recipients: [{ channel: "sms", recipient: ada }] }));
    expect((await world.notification(order)).reason_code).toBeNull();
    expect(await waiting()).toMatchObject([{ address: ada, text: unclear, channel: "sms" }]);
    expect(await countReviews(owner, { environmentId })).toEqual({ count: 1 });
    const id = (await waiting())[0]?.id ?? "";
    await decide("no_opt_out");
    expect([await offer("DE"), await offer("FR"), await offer("IT")]).toEqual([null, null, "consent_denied"]);
    expect(await history()).toEqual(before);
    expect(await waiting()).toEqual([]);
    const again = decideReview(owner, { environmentId, id, decision: "all" });
    expect((await refusal(again)).code).toBe("conflict");
    const { rows } = await database.owner.query<{ data: unknown }>(
      "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'consent_review.decided'",
      [world.tenantId],
    );
    expect(rows).toMatchObject([{ data: { after: { state: "no_opt_out" } } }]);
  });

  it("is an opt-out from when it was written, once somebody says so; a no in the meantime stands whatever they say", async () => {
    const { hear, agree, offer, decide, history } = await worldWith();
    await agree();
    await hear(message(unclear));
    await decide("all");
    expect(
      (await history())
        .slice(0, 3)
        .every(([state, , source]) => state === "opted_out" && source === "keyword"),
    ).toBe(true);
    expect(await offer()).toBe("consent_denied");
    await agree();
    expect(await offer()).toBeNull();
    await hear(message(unclear));
    await hear(message("stop"));
    await decide("no_opt_out");
    expect(await offer()).toBe("consent_denied");
  });

  it("is asked of who has refused everywhere no more, but of who has agreed in a region since", async () => {
    const { hear, agree, offer, waiting } = await worldWith();
    await hear(message("STOP", { at: new Date(Date.now() - 60_000) }));
    await hear(message(unclear));
    expect(await waiting()).toEqual([]);
    await agree("DE");
    expect(await offer()).not.toBe("consent_denied");
    await hear(message(unclear));
    expect(await waiting()).toHaveLength(1);
    expect(await offer()).toBe("consent_denied");
  });

  it("that nobody decides in seven days is an opt-out of marketing", async () => {
    const { world, hear, agree, offer, waiting, history } = await worldWith();
    await agree();
    await hear(message(unclear));
    expect(await expireReviews(database.worker)).toBe(0);
    await expireReviews(database.worker, new Date(Date.now() + 7 * 86_400_000 + 1_000));
    expect(await waiting()).toEqual([]);
    expect((await history())[0]).toEqual(["opted_out", "marketing", "keyword"]);
    expect(await offer()).toBe("consent_denied");
    const { rows } = await database.owner.query<{ state: string }>(
      "SELECT state FROM consent_reviews WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows).toEqual([{ state: "undecided" }]);
  });

  it("of one organisation that cannot be ended keeps those of no other from it", async () => {
    const [broken, other] = [await worldWith(), await worldWith()];
    for (const { hear } of [broken, other]) await hear(message(unclear));
    await database.owner.query(
      `CREATE OR REPLACE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await database.owner.query(
      `CREATE TRIGGER refuse_end BEFORE UPDATE ON consent_reviews FOR EACH ROW
       WHEN (OLD.tenant_id = '${broken.world.tenantId}') EXECUTE FUNCTION refuse_end()`,
    );
    const later = new Date(Date.now() + 7 * 86_400_000 + 1_000);
    await expireReviews(database.worker, later);
    expect([(await broken.waiting()).length, (await other.waiting()).length]).toEqual([1, 0]);
    await database.owner.query("DROP TRIGGER refuse_end ON consent_reviews");
    await expireReviews(database.worker, later);
    expect(await broken.waiting()).toEqual([]);
  });

  it("is told to those who may decide, and shown only to those who see contents", async () => {
    const { world, hear, environmentId } = await worldWith();
    const { tenant } = world;
    const { id } = await tenant.addMember("owner");
    const member = { ...tenant.as("owner"), actor: { ...tenant.as("owner").actor, id } } as ReturnType<
      typeof tenant.as
    >;
    await hear(message(unclear), message(unclear, { from: "+4915187654321" }));
    const kinds = (await listOwnNotices(member, { limit: 10 })).data.map(({ kind }) => kind);
    expect(kinds).toEqual(["consent.review_requested"]);
    const auditor = await listReviews(
      {
        ...tenant.as("owner"),
        grants: [
          { unitId: null, applicationId: null, environmentId: null, permissions: new Set(["consent:read"]) },
        ] as never,
      },
      { environmentId, limit: 10 },
    );
    expect(auditor.data.map(({ text }) => text)).toEqual([null, null]);
    expect(JSON.stringify(auditor)).not.toContain(ada);
  });

  it("cannot take anything else out of the ledger: the web's role deletes holds only", async () => {
    const { world, hear, agree } = await worldWith();
    await agree();
    await hear(message(unclear));
    const gone = await inTenant(
      world.tenant.system,
      (tx) => tx.$executeRaw`DELETE FROM consent_entries WHERE tenant_id = ${world.tenantId}::uuid`,
    );
    expect(gone).toBe(1);
  });
});
