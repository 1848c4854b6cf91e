import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { AttachmentBudget, attachmentLimits, attachmentBudget } from "./attachment-budget.ts";

describe("the room for attachments", () => {
  it("never holds more than its limits, and nothing once all are released", () => {
    const step = fc.record({
      what: fc.constantFrom("take" as const, "keep" as const, "free" as const),
      message: fc.nat({ max: 11 }),
      bytes: fc.nat({ max: attachmentLimits.message }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new AttachmentBudget();
        const messages = Array.from({ length: 12 }, () => ({}));
        for (const { what, message, bytes } of steps) {
          const which = messages[message] ?? {};
          if (what === "take") budget.reserve(which, `tenant ${String(message % 3)}`);
          else if (what === "keep") budget.shrink(which, bytes);
          else budget.release(which);
          expect(budget.size).toBeGreaterThanOrEqual(0);
          expect(budget.size).toBeLessThanOrEqual(attachmentLimits.process);
        }
        for (const message of messages) budget.release(message);
        expect(budget.size).toBe(0);
      }),
    );
  });

  it("remains for others when a tenant fills its part", () => {
    const budget = new AttachmentBudget();
    const taken = Array.from({ length: 10 }, () => budget.reserve({}, "greedy"));
    expect(taken.filter(Boolean)).toHaveLength(attachmentLimits.tenant / attachmentLimits.message);
    expect(budget.reserve({}, "other")).toBe(true);
  });

  it("puts messages off to times of their own, as far apart as room is released", () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    try {
      const budget = new AttachmentBudget();
      const messages = [{}, {}];
      for (const message of messages) expect(budget.reserve(message, "greedy")).toBe(true);
      // The time that room is held is not known yet: a second is assumed, for two messages.
      const first = Array.from({ length: 5 }, () => budget.retryAt("greedy") - Date.now());
      first.forEach((wait, index) => expect(wait).toBeCloseTo(50 + 500 * (index + 1), -1));
      // Another tenant does not wait behind them.
      expect(budget.retryAt("other") - Date.now()).toBeLessThan(500);
      // Not even ten thousand come back at once, and nobody waits for more than two minutes.
      const many = Array.from({ length: 10_000 }, () => budget.retryAt("greedy") - Date.now());
      expect(Math.max(...many)).toBeLessThanOrEqual(120_000);
      // Room that is held for ten seconds is released more slowly.
      for (let round = 0; round < 40; round++) {
        for (const message of messages) {
          budget.reserve(message, "slow");
          vi.advanceTimersByTime(10_000);
          budget.shrink(message, attachmentLimits.message);
          budget.release(message);
        }
      }
      for (const message of messages) budget.reserve(message, "slow");
      const [one, two] = [budget.retryAt("slow"), budget.retryAt("slow")];
      expect(two - one).toBeGreaterThan(4_000);
    } finally {
      vi.useRealTimers();
    }
  });
});

const database = await testDatabase();
const mail = await startMailServer();
const content = Buffer.alloc(9 * 1024 * 1024, 7);
let held = 0;
const files = createServer((_, response) => {
  held = Math.max(held, attachmentBudget.size);
  response.writeHead(200, { "content-type": "application/pdf" }).end(content);
});
await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
afterAll(async () => {
  files.close();
  await mail.close();
});
beforeEach(() => database.owner.query("DELETE FROM graphile_worker._private_jobs"));

it(
  "messages whose attachments find no room are sent later, and all release it",
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
    expect(attachmentBudget.size).toBe(0);
  },
);

it("a message without room is neither rendered nor tried again at once", async () => {
  const world = await makeSendingWorld(database);
  const smtp = await world.addSmtp(mail.port);
  await world.addRule("production", [[smtp]], { channel: "email" });
  // Rendering it would fail.
  await database.owner.query(
    "UPDATE template_versions SET body = '{{ code | divided_by: 0 }}', metadata = $2 WHERE tenant_id = $1 AND subject IS NOT NULL",
    [world.tenantId, { attachments: [{ url: "https://files.example/x.pdf", filename: "x.pdf" }] }],
  );
  const holders = [{}, {}];
  for (const holder of holders) expect(attachmentBudget.reserve(holder, world.tenantId)).toBe(true);
  const ids: string[] = [];
  for (let index = 0; index < 4; index++) {
    const recipients = [{ channel: "email" as const, recipient: `b${String(index)}@example.com` }];
    ids.push(messageId(await world.send({ recipients })));
  }
  await world.runJobs();
  const waiting = await Promise.all(ids.map((id) => world.notification(id)));
  for (const { status } of waiting) expect(status).toBe("queued");
  const due = waiting.map(({ due_at: at }) => at?.getTime() ?? 0).sort((a, b) => a - b);
  expect(new Set(due).size).toBe(due.length);
  due.slice(1).forEach((at, index) => expect(at - (due[index] ?? 0)).toBeGreaterThan(5));
  for (const holder of holders) attachmentBudget.release(holder);
  const hasFailed = async (id: string) => (await world.notification(id)).status === "failed";
  for (let round = 0; round < 6 && !(await Promise.all(ids.map(hasFailed))).every(Boolean); round++) {
    await world.passTime(130_000);
    await world.runJobs();
  }
  expect(await Promise.all(ids.map(hasFailed))).not.toContain(false);
  expect(attachmentBudget.size).toBe(0);
});
