import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { becomes, makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendFields, SendingWorld } from "../testing/sending-world.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());
let world: SendingWorld;
beforeEach(async () => {
  world = await makeSendingWorld(database);
  const twilio = await world.addTwilio(provider.baseUrl);
  await world.addRule("production", [[twilio.id]]);
});

const code: SendFields = {
  notificationType: "authentication",
  notificationSubtype: "one_time_passcode",
  templateVariables: [{ code: "482913" }],
};
const stored = async (id: string) => {
  const { rows } = await database.owner.query<{ shared: Record<string, string>; own: unknown }>(
    `SELECT r.variables AS shared, n.variables AS own FROM notifications n
     JOIN send_requests r ON r.tenant_id = n.tenant_id AND r.id = n.request_id WHERE n.id = $1`,
    [id],
  );
  return rows[0];
};
const end = (id: string) => world.advance(id, becomes("delivered"));

describe("the variables of a one-time code", () => {
  it("are kept while its message may still be sent, and redacted when it has ended", async () => {
    const id = messageId(await world.send(code));
    await world.runJobs();
    expect((await stored(id))?.shared).toMatchObject({ code: "482913" });
    await end(id);
    expect((await stored(id))?.shared).toEqual({ code: "[redacted]" });
  });

  it("are kept until the last message of the request has ended, even when two end at the same moment", async () => {
    const recipients = ["+4915112345601", "+4915112345602", "+4915112345603"].map((recipient) => ({
      channel: "sms" as const,
      recipient,
      variables: { code: "771104" },
    }));
    const accepted = await world.send({ ...code, recipients });
    await world.runJobs();
    const [first = "", second = "", third = ""] = accepted.notifications.map((one) => one.notificationId);
    await end(first);
    expect(await stored(first)).toMatchObject({ shared: { code: "482913" }, own: { code: "[redacted]" } });
    expect(await stored(second)).toMatchObject({ own: { code: "771104" } });
    await Promise.all([end(second), end(third)]);
    expect(await stored(third)).toEqual({
      shared: { code: "[redacted]" },
      own: { code: "[redacted]" },
    });
  });

  it("are redacted however the message ends: canceled, expired, failed", async () => {
    for (const to of ["canceled", "expired", "failed"] as const) {
      const id = messageId(await world.send(code));
      await world.advance(id, becomes(to));
      expect((await stored(id))?.shared).toEqual({ code: "[redacted]" });
    }
  });

  it("are the only ones: an order's number is still there for readers of the message", async () => {
    const id = messageId(await world.send({ templateVariables: [{ code: "A-4711" }] }));
    await world.runJobs();
    await end(id);
    expect((await stored(id))?.shared).toMatchObject({ code: "A-4711" });
  });
});
