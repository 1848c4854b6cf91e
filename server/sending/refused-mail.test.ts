import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { acceptingAll, startMailServer, startScriptedServer } from "../testing/mail-server.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { getTimeline } from "./get-timeline.ts";

const database = await testDatabase();
const second = await startMailServer();
let refusing: Record<string, string> = {};
const sessions = new WeakMap<object, (line: string) => string | null>();
/** Refuses as `refusing` says, each session with a state of its own. */
const first = await startScriptedServer((line, socket) => {
  if (line.startsWith("EHLO")) sessions.set(socket, acceptingAll(refusing));
  return sessions.get(socket)?.(line) ?? null;
});
afterAll(async () => {
  first.close();
  await second.close();
});
beforeEach(() => {
  second.received.length = 0;
});

async function makeWorld({ alone = false } = {}) {
  const world = await makeSendingWorld(database);
  const add = (name: string, port: number) =>
    world.addConnection({
      adapter: "smtp",
      name,
      credentials: {},
      settings: { host: "127.0.0.1", port, security: "none" },
      channels: ["email"],
      senders: [{ channel: "email", sender: `${name.toLowerCase()}@tidings.example` }],
    });
  const a = await add("First", first.port);
  const b = await add("Second", second.port);
  await world.addRule("production", alone ? [[a]] : [[a], [b]], { channel: "email" });
  await world.tenant.addSimulator(["sandbox"]);
  const send = async (recipient: string, environment: "production" | "sandbox" = "production") => {
    const id = messageId(
      await world.send({ recipients: [{ channel: "email", recipient }] }, { environment }),
    );
    await world.runJobs();
    const { attempts } = await getTimeline(world.tenant.system, { id });
    const { status, failure } = await world.notification(id);
    return {
      id,
      status,
      failure,
      attempts: attempts.map(({ provider, outcome, code }) => [provider, outcome, code].join(" ").trim()),
    };
  };
  const suppressions = async () =>
    (
      await database.owner.query<{
        address: string;
        reason: string;
        sandbox: boolean;
        notification_id: string;
      }>("SELECT address, reason, sandbox, notification_id FROM suppressions WHERE tenant_id = $1", [
        world.tenantId,
      ])
    ).rows;
  return { ...world, sendTo: send, suppressions };
}

test.each([
  ["550 5.7.26 the sender is not authenticated", "sender_unauthenticated"],
  ["554 5.7.1 refused by policy", "policy_rejected"],
])(
  "a message refused with %s after DATA goes to the next tier, and suppresses nobody",
  async (answer, code) => {
    refusing = { end: answer };
    const world = await makeWorld();
    const sent = await world.sendTo("ada@example.com");
    expect(sent).toMatchObject({ status: "sent", attempts: [`First not_sent ${code}`, "Second sent"] });
    expect(second.received).toHaveLength(1);
    expect(await world.suppressions()).toEqual([]);
  },
);

test.each([
  ["550 5.7.26 the sender is not authenticated", "sender_unauthenticated"],
  ["554 5.7.1 refused by policy", "policy_rejected"],
])("one refused with %s by the only connection ends at once with that reason", async (answer, code) => {
  refusing = { end: answer };
  const world = await makeWorld({ alone: true });
  expect(await world.sendTo("ada@example.com")).toMatchObject({
    status: "failed",
    failure: { code, providerCode: answer.slice(0, 3) },
    attempts: [`First not_sent ${code}`],
  });
  expect(await world.suppressions()).toEqual([]);
});

test.each(["RCPT", "end"])(
  "a recipient that the server does not know (%s) is asked nowhere else, bounces and is suppressed",
  async (command) => {
    refusing = { [command]: "550 5.1.1 no such user" };
    const world = await makeWorld();
    const sent = await world.sendTo("gone@example.com");
    expect(sent).toMatchObject({
      status: "failed",
      failure: { code: "invalid_recipient", providerCode: "550" },
      attempts: ["First not_sent invalid_recipient"],
    });
    expect(second.received).toEqual([]);
    expect(await world.suppressions()).toEqual([
      { address: "gone@example.com", reason: "hard_bounce", sandbox: false, notification_id: sent.id },
    ]);
    const bounces = (await world.events(sent.id)).filter(({ type }) => type === "bounced");
    expect(bounces).toMatchObject([{ data: { permanent: true } }]);
    const again = messageId(
      await world.send({ recipients: [{ channel: "email", recipient: "gone@example.com" }] }),
    );
    await world.runJobs();
    expect(await world.notification(again)).toMatchObject({ status: "rejected", reason_code: "suppressed" });
  },
);

test("a bare 550 and a full mailbox end the message, and suppress nobody", async () => {
  const world = await makeWorld();
  for (const answer of ["550 no such user", "552 5.2.2 over quota"]) {
    refusing = { RCPT: answer };
    expect(await world.sendTo("ada@example.com")).toMatchObject({ status: "failed" });
  }
  expect(await world.suppressions()).toEqual([]);
});

test("the sandbox's scenario of an unknown recipient suppresses nobody, neither there nor for real", async () => {
  refusing = { RCPT: "550 5.1.1 no such user" };
  const world = await makeWorld();
  const sent = await world.sendTo("invalid@example.com", "sandbox");
  expect(sent).toMatchObject({ status: "failed", failure: { code: "invalid_recipient" } });
  expect(await world.suppressions()).toEqual([]);
});
