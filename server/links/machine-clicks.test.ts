import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { getDeliverability } from "../deliverability/get-deliverability.ts";
import { serveShortLink } from "../rest/serve-short-link.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { shortLinks } from "./short-links.ts";
import { machineReason } from "./visitor.ts";

const database = await testDatabase();
const sql = database.owner;

/** User agents of public lists; the rules were written while the half `seen` was looked at, and `heldOut` was not. */
const lists = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "user-agents.fixture.json"), "utf8"),
) as Record<"seen" | "heldOut", { programs: string[]; people: string[] }>;
const get = (agent: string, headers: Record<string, string> = {}) =>
  machineReason({ method: "GET", headers: new Headers({ "user-agent": agent, ...headers }) });

describe("user agents of public lists", () => {
  test.each(["seen", "heldOut"] as const)("%s: precision and recall are 0.95 or more", (half) => {
    const { programs, people } = lists[half];
    const found = programs.filter((agent) => get(agent) !== null).length / programs.length;
    const wronged = people.filter((agent) => get(agent) !== null).length / people.length;
    const recall = found;
    // As if there were as many of the ones as of the others.
    const precision = found / (found + wronged);
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(precision).toBeGreaterThanOrEqual(0.95);
  });
});

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

test("a request says how a program is known", () => {
  expect(get(chrome)).toBeNull();
  expect(machineReason({ method: "HEAD", headers: new Headers({ "user-agent": chrome }) })).toBe("method");
  expect(get(chrome, { "sec-purpose": "prefetch;anonymous-client-ip" })).toBe("prefetch");
  expect(get("")).toBe("program");
  expect(get(chrome, { "x-forwarded-for": "40.93.1.2" })).toBe("network");
  expect(get(chrome, { "x-forwarded-for": "::ffff:52.101.1.2" })).toBe("network");
  expect(get(chrome, { "x-forwarded-for": "203.0.113.9" })).toBeNull();
  expect(get(chrome, { "x-forwarded-for": "nonsense" })).toBeNull();
});

async function makeWorld() {
  const world = await makeSendingWorld(database);
  const { tenant } = world;
  /** Links of a new mail that arrived so many seconds ago. */
  const mail = async (seconds: number, count = 3, channel: "email" | "sms" = "email") => {
    const recipient = channel === "email" ? "ann@example.com" : "+4915112345678";
    const id = messageId(await world.send({ recipients: [{ channel, recipient }] }));
    await sql.query(
      "UPDATE notifications SET status = 'delivered', delivered_at = now() - make_interval(secs => $2), sent_at = now() - make_interval(secs => $2) WHERE id = $1",
      [id, seconds],
    );
    const { links } = await shortLinks(
      tenant.worker,
      {
        notificationId: id,
        environmentId: tenant.environments.production,
        sandbox: false,
        tenant: { dataRegion: "EU", settings: { allowedTransferRegions: [] } },
      },
      new Set(Array.from({ length: count }, (_, index) => `https://shop.example/${String(index)}`)),
      { http: world.http },
    );
    return { id, codes: [...links.values()].map((url) => url.split("/l/")[1] ?? "") };
  };
  const click = (code: string | undefined, agent = chrome) =>
    serveShortLink(
      new Request(`http://tidings.test/l/${code ?? ""}`, { headers: { "user-agent": agent } }),
      code ?? "",
      { db: () => database.web },
    );
  const counts = async (id: string) => {
    const { links } = await getTimeline(tenant.as("owner"), { id });
    const sum = (of: "clicks" | "machineClicks") => links.reduce((all, link) => all + (link[of] ?? 0), 0);
    return [sum("clicks"), sum("machineClicks")];
  };
  const reasons = async (id: string) =>
    (
      await sql.query<{ reason: string }>(
        "SELECT machine_reason AS reason FROM short_links WHERE notification_id = $1 AND machine_reason IS NOT NULL",
        [id],
      )
    ).rows.map(({ reason }) => reason);
  const total = async () => (await getDeliverability(tenant.as("owner"))).clicks;
  /** As if what was clicked so far was clicked earlier. */
  const passTime = (id: string) =>
    sql.query(
      "UPDATE short_links SET last_clicked_at = last_clicked_at - interval '1 minute', last_machine_at = last_machine_at - interval '1 minute' WHERE notification_id = $1",
      [id],
    );
  return { ...world, mail, click, counts, reasons, total, passTime };
}

test("people's clicks are events, programs' are counted apart and tell nobody", async () => {
  const world = await makeWorld();
  const { id, codes } = await world.mail(60);
  await world.click(codes[0], "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)");
  await world.passTime(id);
  await world.click(codes[0]);
  expect(await world.counts(id)).toEqual([1, 1]);
  expect(await world.reasons(id)).toEqual(["program"]);
  expect(await world.total()).toEqual({ people: 1, machines: 1 });
  const { rowCount } = await sql.query(
    "SELECT FROM notification_events WHERE notification_id = $1 AND type = 'clicked'",
    [id],
  );
  expect(rowCount).toBe(1);
});

test("a gateway that opens a mail's links as it arrives is no person, whatever it calls itself", async () => {
  const world = await makeWorld();
  const { id, codes } = await world.mail(2);
  for (const code of codes) await world.click(code);
  expect(await world.counts(id)).toEqual([0, 3]);
  expect(new Set(await world.reasons(id))).toEqual(new Set(["too_soon"]));
  // The person comes later.
  await sql.query("UPDATE notifications SET delivered_at = now() - interval '1 hour' WHERE id = $1", [id]);
  await world.passTime(id);
  await world.click(codes[1]);
  expect(await world.counts(id)).toEqual([1, 3]);
});

test("several links within a second are a program's, the first of them too, also when they come at once", async () => {
  const world = await makeWorld();
  const { id, codes } = await world.mail(120);
  await Promise.all(codes.map((code) => world.click(code)));
  expect(await world.counts(id)).toEqual([0, 3]);
  expect(new Set(await world.reasons(id))).toEqual(new Set(["burst"]));
  expect(await world.total()).toEqual({ people: 0, machines: 3 });
});

test("somebody who opens one link and then another, or one twice, is a person; by SMS also at once", async () => {
  const world = await makeWorld();
  const { id, codes } = await world.mail(60);
  await world.click(codes[0]);
  await world.click(codes[0]);
  await world.passTime(id);
  await world.click(codes[1]);
  expect(await world.counts(id)).toEqual([3, 0]);
  const text = await world.mail(1, 1, "sms");
  await world.click(text.codes[0]);
  expect(await world.counts(text.id)).toEqual([1, 0]);
});
