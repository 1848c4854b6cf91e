import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { MailStore } from "./mail-store.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-mail-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mail = (number: number) => Buffer.from(`Subject: mail ${number}\r\n\r\nbody\r\n`);

test("only the newest thousand mails are kept, also across restarts", async () => {
  const store = new MailStore(folder);
  for (let number = 1; number <= 1_003; number += 1) {
    await store.add({ from: "a@example.com", to: ["b@example.com"] }, mail(number));
  }
  expect(readdirSync(folder)).toHaveLength(1_000);
  const reopened = new MailStore(folder);
  const listed = await reopened.list(5_000);
  expect(listed).toHaveLength(1_000);
  // Within one millisecond the order is undefined; the oldest three are gone in any case.
  const subjects = new Set(listed.map((one) => one.subject));
  expect(subjects.has("mail 1003")).toBe(true);
});
