import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { mailboxUrl } from "./lib/mailbox-address.ts";
import { root } from "./lib/paths.ts";
import { choosePort } from "./lib/ports.ts";
import { loadSecrets, saveSecrets, type Secrets } from "./lib/secrets.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "tidings-mailbox-test-"));
let secrets: Secrets["mailbox"];
let server: ChildProcess;

type Listed = { id: string; from: string; to: string[]; subject: string };
type Read = Listed & { text: string | null; html: string | null; headers: { name: string; value: string }[] };

const list = async () => (await (await fetch(mailboxUrl(secrets))).json()) as Listed[];

function transport(password = secrets.password) {
  return nodemailer.createTransport({
    host: "127.0.0.1",
    port: secrets.smtpPort,
    auth: { user: secrets.user, pass: password },
  });
}

/** fetch does not let a caller choose the Host header. */
function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on("error", reject);
  });
}

beforeAll(async () => {
  const all = loadSecrets(dataDir);
  all.mailbox.smtpPort = await choosePort();
  all.mailbox.httpPort = await choosePort();
  saveSecrets(dataDir, all);
  secrets = all.mailbox;
  server = spawn(process.execPath, [path.join(root, "scripts", "mailbox.ts")], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: "ignore",
  });
  await vi.waitFor(list, { timeout: 20_000, interval: 100 });
  await vi.waitFor(() => transport().verify(), { timeout: 20_000, interval: 100 });
});

afterAll(() => {
  server.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

test("an accepted mail can be read, for the recipient of the envelope", async () => {
  await transport().sendMail({
    envelope: { from: "bounce@example.com", to: ["hidden@example.org"] },
    from: "Shop <shop@example.com>",
    to: "shown@example.org",
    subject: "Grüße",
    text: "Plain text",
    html: "<p>Rich text</p>",
    headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  });
  const [newest] = await list();
  expect(newest).toMatchObject({
    from: "Shop <shop@example.com>",
    to: ["hidden@example.org"],
    subject: "Grüße",
  });
  const mail = (await (await fetch(`${mailboxUrl(secrets)}/${newest?.id}`)).json()) as Read;
  expect(mail.text?.trim()).toBe("Plain text");
  expect(mail.html?.trim()).toBe("<p>Rich text</p>");
  expect(mail.headers).toContainEqual({
    name: "List-Unsubscribe-Post",
    value: "List-Unsubscribe=One-Click",
  });
});

test("nobody sends without the password", async () => {
  await expect(transport("guessed").verify()).rejects.toThrow(/535/);
});

test("nobody reads without the token, by another host name, or outside the folder", async () => {
  const url = mailboxUrl(secrets);
  const status = async (address: string) => (await fetch(address)).status;
  expect(await status(url.replace(secrets.token, "x".repeat(secrets.token.length)))).toBe(404);
  expect(await status(`http://127.0.0.1:${secrets.httpPort}/`)).toBe(404);
  expect(await status(`${url}/..%2f..%2fsecrets`)).toBe(404);
  expect(await statusWithHost(url, "rebound.example")).toBe(404);
});

test("mails and secrets are readable only by their owner", () => {
  const modeOf = (file: string) => statSync(path.join(dataDir, file)).mode & 0o077;
  expect(modeOf("secrets.json")).toBe(0);
  const mails = readdirSync(path.join(dataDir, "mailbox"));
  expect(mails.map((name) => modeOf(path.join("mailbox", name)))).toEqual(mails.map(() => 0));
});
