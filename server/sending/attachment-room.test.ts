import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { AttachmentRoom, attachmentLimits, attachmentRoom } from "./attachment-room.ts";

describe("the room for attachments", () => {
  it("never holds more than its limits, and nothing when everybody has left", () => {
    const step = fc.record({
      what: fc.constantFrom("take" as const, "keep" as const, "free" as const),
      message: fc.nat({ max: 11 }),
      bytes: fc.nat({ max: attachmentLimits.message }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const room = new AttachmentRoom();
        const messages = Array.from({ length: 12 }, () => ({}));
        for (const { what, message, bytes } of steps) {
          const which = messages[message] ?? {};
          if (what === "take") room.take(which, `tenant ${String(message % 3)}`);
          else if (what === "keep") room.keep(which, bytes);
          else room.free(which);
          expect(room.size).toBeGreaterThanOrEqual(0);
          expect(room.size).toBeLessThanOrEqual(attachmentLimits.process);
        }
        for (const message of messages) room.free(message);
        expect(room.size).toBe(0);
      }),
    );
  });

  it("is left to others by a tenant that fills its part", () => {
    const room = new AttachmentRoom();
    const taken = Array.from({ length: 10 }, () => room.take({}, "greedy"));
    expect(taken.filter(Boolean)).toHaveLength(attachmentLimits.tenant / attachmentLimits.message);
    expect(room.take({}, "other")).toBe(true);
  });
});

const database = await testDatabase();
const mail = await startMailServer();
const content = Buffer.alloc(9 * 1024 * 1024, 7);
let held = 0;
const files = createServer((_, response) => {
  held = Math.max(held, attachmentRoom.size);
  response.writeHead(200, { "content-type": "application/pdf" }).end(content);
});
await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
afterAll(async () => {
  files.close();
  await mail.close();
});
beforeEach(() => database.owner.query("DELETE FROM graphile_worker._private_jobs"));

it(
  "messages whose attachments find no room are sent later, and all free it",
  { timeout: 60_000 },
  async () => {
    const world = await makeSendingWorld(database);
    const smtp = await world.addSmtp(mail.port);
    await world.addRule("production", [[smtp]], { channel: "email" });
    const url = `http://127.0.0.1:${String((files.address() as AddressInfo).port)}/invoice.pdf`;
    await database.owner.query(
      "UPDATE template_versions SET metadata = $2 WHERE tenant_id = $1 AND body LIKE 'Order%' AND subject IS NOT NULL",
      [world.tenantId, { attachments: [{ url, filename: "invoice.pdf" }] }],
    );
    mail.received.length = 0;
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      ids.push(
        messageId(
          await world.send({
            recipients: [{ channel: "email", recipient: `a${String(index)}@example.com` }],
          }),
        ),
      );
    }
    const isSent = async (id: string) => (await world.notification(id)).status === "sent";
    for (let round = 0; round < 20 && !(await Promise.all(ids.map(isSent))).every(Boolean); round++) {
      await world.runJobs();
      await world.passTime(5_000);
    }
    expect(await Promise.all(ids.map(isSent))).not.toContain(false);
    expect(mail.received).toHaveLength(6);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(attachmentLimits.tenant);
    expect(attachmentRoom.size).toBe(0);
  },
);
