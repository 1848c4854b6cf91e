import { afterAll, expect, test } from "vitest";
import { lookUpTxt } from "../kernel/txt-records.ts";
import { testDatabase } from "../testing/database.ts";
import { openNameServer } from "../testing/name-server.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { checkSender, checkSenders, listSenderDomains } from "./check-senders.ts";

const database = await testDatabase();
const sql = database.owner;
const records = new Map<string, readonly string[] | "fails">();
const server = await openNameServer(records);
afterAll(() => server.close());
const lookUp = (name: string) => lookUpTxt(name, [server.address]);

const world = await makeSendingWorld(database);
const owner = world.tenant.as("owner");
const connectionId = await world.addSmtp(2525, {
  senders: [
    { channel: "email", sender: "Shop <hello@shop.example>" },
    { channel: "email", sender: "news@shop.example" },
    { channel: "email", sender: "*@other.example" },
  ],
});
const shop = async () =>
  (await listSenderDomains(owner)).data.find(({ domain }) => domain === "shop.example");
const longAgo = (interval: string) =>
  sql.query("UPDATE sender_domain_checks SET tried_at = tried_at - $2::interval WHERE tenant_id = $1", [
    world.tenantId,
    interval,
  ]);

test("each domain is checked once by the clock, then once a day", async () => {
  records.set("shop.example", ["v=spf1 ip4:192.0.2.1 -all"]);
  records.set("_dmarc.shop.example", ["v=DMARC1; p=reject; rua=mailto:d@shop.example"]);
  expect(await shop()).toMatchObject({ triedAt: null, spf: null, dmarc: null });
  expect(await checkSenders(database.worker, lookUp)).toBe(2);
  expect(await checkSenders(database.worker, lookUp)).toBe(0);
  expect(await shop()).toMatchObject({
    provider: "smtp",
    problem: null,
    spf: { state: "unknown", record: "v=spf1 ip4:192.0.2.1 -all" },
    dkim: { state: "unknown" },
    dmarc: { state: "good" },
  });
  expect((await listSenderDomains(owner)).data.map(({ domain }) => domain)).toEqual([
    "other.example",
    "shop.example",
  ]);
  await longAgo("25 hours");
  expect(await checkSenders(database.worker, lookUp)).toBe(2);
});

test("a look-up that was cut off before it had an answer comes again within the hour", async () => {
  await sql.query(
    "UPDATE sender_domain_checks SET spf = NULL, dkim = NULL, dmarc = NULL, problem = NULL WHERE tenant_id = $1 AND domain = 'other.example'",
    [world.tenantId],
  );
  await longAgo("61 minutes");
  expect(await checkSenders(database.worker, lookUp)).toBe(1);
  expect(await checkSenders(database.worker, lookUp)).toBe(0);
});

test("a fault of DNS leaves the last answer, says so, and is looked at again within the hour", async () => {
  const before = await shop();
  records.set("_dmarc.shop.example", "fails");
  records.set("shop.example", ["v=spf1 mx -all"]);
  await longAgo("25 hours");
  await checkSenders(database.worker, lookUp);
  expect(await shop()).toMatchObject({
    problem: "DMARC could not be checked: no name server answered.",
    dmarc: before?.dmarc,
    spf: { record: "v=spf1 mx -all" },
  });
  records.set("_dmarc.shop.example", ["v=DMARC1; p=reject; rua=mailto:d@shop.example"]);
  await longAgo("61 minutes");
  expect(await checkSenders(database.worker, lookUp)).toBe(1);
  expect(await shop()).toMatchObject({ problem: null, dmarc: { state: "good" } });
});

test("a domain whose answer cannot be kept keeps no other from being checked", async () => {
  await longAgo("25 hours");
  await sql.query(
    `CREATE FUNCTION refuse_check() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE OF spf ON sender_domain_checks FOR EACH ROW
       WHEN (NEW.domain = 'other.example') EXECUTE FUNCTION refuse_check()`,
  );
  expect(await checkSenders(database.worker, lookUp)).toBe(2);
  expect(await shop()).toMatchObject({ problem: null });
  await sql.query("DROP TRIGGER refuse ON sender_domain_checks; DROP FUNCTION refuse_check()");
});

test("somebody may look a domain up again, now and then, and only one that mails come from", async () => {
  const key = { domain: "shop.example", connectionId };
  expect((await refusal(checkSender(owner, key, lookUp))).code).toBe("rate_limited");
  await longAgo("1 minute");
  records.set("_dmarc.shop.example", ["v=DMARC1; p=none"]);
  expect(await checkSender(owner, key, lookUp)).toMatchObject({ dmarc: { state: "warning" } });
  const { rows } = await sql.query<{ data: object }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'sender_domain.checked'",
    [world.tenantId],
  );
  expect(rows).toMatchObject([{ data: { domain: "shop.example", dmarc: "warning" } }]);
  expect((await refusal(checkSender(owner, { ...key, domain: "else.example" }, lookUp))).code).toBe(
    "not_found",
  );
  expect((await refusal(checkSender(world.tenant.as("operator"), key, lookUp))).code).toBe(
    "permission_denied",
  );
});

test("what nothing is sent from any more is not looked up", async () => {
  await sql.query("UPDATE provider_connections SET enabled = false WHERE tenant_id = $1", [world.tenantId]);
  await longAgo("2 days");
  expect(await checkSenders(database.worker, lookUp)).toBe(0);
  expect((await listSenderDomains(owner)).data).toEqual([]);
});
