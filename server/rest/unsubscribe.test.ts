/** From a marketing e-mail that left over SMTP to the click on what it offers, and back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordConsent } from "../consent/record-consent.ts";
import { inTenant } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { servePreferences } from "./serve-preferences.ts";

const database = await testDatabase();
let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(async () => {
  await mail.close();
});

test("who unsubscribes from an e-mail with one click gets no more of its class, and the others still", async () => {
  const world = await makeSendingWorld(database, { deps: { publicUrl: "https://tidings.example" } });
  const smtp = await world.addSmtp(mail.port, { name: "Mail" });
  await world.addRule("production", [[smtp]], { channel: "email" });
  const address = "ada@example.com";
  const { system } = world.tenant;
  await inTenant(system, (tx) =>
    recordConsent(system, tx, {
      sandbox: false,
      channel: "email",
      address,
      state: "opted_in",
      source: "api",
    }),
  );
  const sendTo = async (fields: SendFields) => {
    const id = messageId(
      await world.send({ ...fields, recipients: [{ channel: "email", recipient: address }] }),
    );
    await world.runJobs();
    const { status, reason_code: reason } = await world.notification(id);
    return { status, reason };
  };
  const marketing = { notificationType: "marketing", notificationSubtype: "promotion" };
  expect(await sendTo(marketing)).toMatchObject({ status: "sent" });
  const raw = (mail.received.at(-1)?.raw ?? "").replaceAll(/\r\n[ \t]+/g, " ");
  expect(raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
  const [, url = "", token = ""] =
    /^List-Unsubscribe: <(https:\/\/tidings\.example\/api\/app\/unsubscribe\/([\w-]+))>\r$/m.exec(raw) ?? [];
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const answer = await servePreferences(new Request(url, { method: "POST", body }), token, {
    db: () => database.web,
  });
  expect(answer.status).toBe(200);
  expect(await sendTo(marketing)).toEqual({ status: "rejected", reason: "consent_denied" });
  expect(await sendTo({ notificationType: "account", notificationSubtype: "maintenance" })).toMatchObject({
    status: "sent",
  });
  expect(mail.received.at(-1)?.raw).not.toContain("List-Unsubscribe");
});
