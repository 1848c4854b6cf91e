import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expectAccessible } from "./accessible.ts";

/* An installation of its own with a console: from an operator's first link to stopping an organisation of their making. */

const port = Number(new URL(process.env.E2E_BASE_URL ?? "http://localhost:3210").port) + 30;
const base = `http://localhost:${String(port)}`;
const folder = mkdtempSync(path.join(tmpdir(), "tidings-console-"));
const password = "correct horse battery staple";
const { DATABASE_URL: _given, ...inherited } = process.env;
const environment = { ...inherited, PORT: String(port), DATA_DIR: folder, PUBLIC_URL: base };

let installation: ChildProcess;

test.use({ baseURL: base });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  installation = spawn(process.execPath, ["scripts/supervisor.ts"], {
    env: { ...environment, DEMO: "off", CONSOLE: "on" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  await new Promise<void>((resolve, reject) => {
    installation.once("exit", () => reject(new Error(`It did not start.\n${told}`)));
    installation.stdout?.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      if (told.includes("Tidings is ready")) resolve();
    });
  });
});

test.afterAll(async () => {
  installation.kill("SIGTERM");
  if (installation.exitCode === null) await once(installation, "exit");
  rmSync(folder, { recursive: true, force: true });
});

/** What a command prints. */
function operator(...words: string[]): string {
  return execFileSync(process.execPath, ["scripts/operator.ts", ...words], {
    env: environment,
    encoding: "utf8",
  });
}

const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

test("an operator makes an organisation, suspends it, takes it back and finds both in the log", async ({
  page,
  browser,
  request,
}) => {
  test.setTimeout(240_000);
  const number = String(Date.now());
  const email = `ola-${number}@operators.example`;
  const slug = `made-${number}`;
  const link = operator("create", email, "--name", "Ola Operator").split("\n")[0] ?? "";

  await page.goto("/console");
  await expect(page).toHaveURL(/\/console\/sign-in$/);
  await expectAccessible(page);
  await page.goto(new URL(link).pathname + new URL(link).hash);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(/\/console\/sign-in$/);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("not that one at all");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "wrong" })).toBeVisible();
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  // The console asks for a second factor before it shows anything.
  await expect(page.getByRole("heading", { name: "Set up second factor" })).toBeVisible();
  expect((await page.request.get("/console/api/trpc/installation.get")).status()).toBe(403);
  await page.goto("/console/log");
  await expect(page.getByRole("heading", { name: "Set up second factor" })).toBeVisible();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await expectAccessible(page);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, -1));
  await page.getByRole("button", { name: "Switch on" }).click();
  const recoveryCode =
    (await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").first().textContent()) ??
    "";
  await expectAccessible(page);
  await page.getByRole("button", { name: "Go to the console" }).click();

  await expect(page.getByRole("heading", { name: "Organisations" })).toBeVisible();
  await page.getByRole("button", { name: "Account: Ola Operator" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  for (const code of [codeOf(secret), recoveryCode]) {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Wrong code" })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Account: Ola Operator" }).click();
    if (code !== recoveryCode) await page.getByRole("menuitem", { name: "Sign out" }).click();
  }
  await page.getByRole("menuitem", { name: "Second factor" }).click();
  await expect(page.getByText("9 recovery codes left.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Organisations" }).click();
  await expect(page.getByRole("heading", { name: "No organisations yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New organisation" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Made in the console");
  await dialog.getByLabel("Short name").fill(slug);
  await dialog.getByLabel("Owner's name").fill("Olga Owner");
  await dialog.getByLabel("Owner's e-mail").fill(`olga-${number}@made.example`);
  await dialog.getByRole("button", { name: "Create organisation" }).click();
  const key = (await dialog.locator("code", { hasText: /^tdg_sbx_/ }).textContent()) ?? "";
  const ownersLink = (await dialog.locator("code", { hasText: "/set-password#" }).textContent()) ?? "";
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "Open organisation" }).click();
  await expect(page.getByRole("heading", { name: "Made in the console" })).toBeVisible();

  const send = async () =>
    (
      await request.post("/api/app/notifications/send", {
        headers: { Authorization: `Bearer ${key}` },
        data: {
          transactionId: `console-${String(Date.now())}`,
          application: "webshop",
          region: "DE",
          language: "en",
          notificationType: "order",
          notificationSubtype: "order_status",
          recipients: [{ channel: "email", recipient: "ada@example.com" }],
          templateVariables: [{ customerName: "Ada" }, { orderNumber: "A-1042" }, { status: "shipped" }],
        },
      })
    ).status();
  expect(await send()).toBe(202);

  // Its owner is in the portal.
  const theirs = await (await browser.newContext({ baseURL: base })).newPage();
  await theirs.goto(new URL(ownersLink).pathname + new URL(ownersLink).hash);
  await theirs.getByLabel(/password/i).fill(password);
  await theirs
    .getByRole("button", { name: /password/i })
    .last()
    .click();
  await expect(theirs).toHaveURL(/sign-in/);
  await theirs.getByLabel("E-mail").fill(`olga-${number}@made.example`);
  await theirs.getByLabel("Password", { exact: true }).fill(password);
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs).toHaveURL(new RegExp(`/${slug}/overview`));

  // Who is nobody in the console.
  await theirs.goto("/console/organisations");
  await expect(theirs).toHaveURL(/\/console\/sign-in$/);
  expect((await theirs.request.get("/console/api/trpc/organisations.list")).status()).toBe(401);
  expect((await theirs.goto("/console/nothing-here"))?.status()).toBe(404);
  await theirs.goto(`/${slug}/overview`);

  await page.getByRole("button", { name: "Suspend…" }).click();
  await page.getByLabel("Reason").fill("Unpaid invoices");
  const suspend = page.getByRole("button", { name: "Suspend organisation" });
  await expect(suspend).toBeDisabled();
  await page.getByLabel(`Type ${slug} to confirm`).fill(slug);
  await expectAccessible(page);
  await suspend.click();
  await expect(page.getByText("Suspended", { exact: true }).first()).toBeVisible();
  await expect.poll(send, { timeout: 5_000 }).toBe(403);
  await theirs.reload();
  await expect(theirs).toHaveURL(/sign-in/);
  await theirs.getByLabel("E-mail").fill(`olga-${number}@made.example`);
  await theirs.getByLabel("Password", { exact: true }).fill(password);
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs.getByText("This organisation is suspended")).toBeVisible();

  await page.getByRole("button", { name: "Reactivate…" }).click();
  await page.getByRole("button", { name: "Reactivate" }).click();
  await expect(page.getByRole("button", { name: "Suspend…" })).toBeVisible();
  await expect.poll(send, { timeout: 5_000 }).toBe(202);

  // One of the service's own channels; its credentials come from standard input.
  const channel = `Tidings SMS ${number}`;
  execFileSync(
    process.execPath,
    [
      "scripts/channels.ts",
      ...[
        "add",
        channel,
        "--provider",
        "smpp",
        "--region",
        "EU",
        "--credentials",
        "-",
        "--set",
        "host=8.8.8.8",
      ],
    ],
    { env: environment, input: JSON.stringify({ systemId: "house", password: "canary" }) },
  );
  await page.getByRole("link", { name: "Channels" }).click();
  await expect(page).toHaveTitle("Channels · Console");
  await expectAccessible(page);
  await page
    .getByRole("link", { name: channel })
    .or(page.getByRole("cell", { name: channel }))
    .first()
    .click();
  await expect(page).toHaveTitle(`${channel} · Console`);
  await page.getByRole("button", { name: "Assign" }).first().click();
  await page.getByLabel("Short name of the organisation").fill(slug);
  await page.getByLabel("Senders").fill("+4930123456");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Assign" }).click();
  await expect(page.getByRole("row", { name: new RegExp(`${slug}.*\\+4930123456`) })).toBeVisible();
  expect(await page.content()).not.toContain("canary");
  await page.getByRole("button", { name: `Senders of ${slug}` }).click();
  await page.getByLabel("Senders", { exact: true }).fill("70700");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: new RegExp(`${slug}.*70700`) })).toBeVisible();
  await page.getByRole("button", { name: `Take back from ${slug}` }).click();
  await page.getByRole("button", { name: "Take back" }).click();
  await expect(page.getByRole("heading", { name: "Not assigned yet" })).toBeVisible();
  await page.getByRole("link", { name: "Organisations" }).click();
  await page.getByRole("row", { name: new RegExp(slug) }).click();

  await page.getByRole("button", { name: "Change…" }).click();
  await page.getByLabel("SMS", { exact: true }).fill("0.002");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("€0.002")).toBeVisible();

  await page.getByRole("button", { name: "Change quotas" }).click();
  await page.getByLabel("Messages per day").fill("10,000");
  await page.getByLabel("Requests per minute").fill("1");
  await expectAccessible(page);
  // What was entered outlives the session.
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save" }).click();
  const ended = page.getByRole("alertdialog", { name: "Your session has ended" });
  await expect(ended.getByRole("link", { name: "Sign in in a new tab" })).toBeVisible();
  await page.context().addCookies(cookies);
  await expect(ended).toHaveCount(0, { timeout: 10_000 });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/10,000, \d+ today/)).toBeVisible();
  await expect.poll(send, { timeout: 10_000 }).toBe(429);
  await page.getByRole("button", { name: "Change quotas" }).click();
  await page.getByLabel("Requests per minute").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(send, { timeout: 10_000 }).toBe(202);

  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByLabel("Reason").fill("Contract ended");
  const remove = page.getByRole("button", { name: "Delete organisation" });
  await expect(remove).toBeDisabled();
  await page.getByLabel(`Type ${slug} to confirm`).fill(slug);
  await expectAccessible(page);
  await remove.click();
  await expect(page.getByRole("heading", { name: "Deletion scheduled" })).toBeVisible();
  await expect.poll(send, { timeout: 5_000 }).toBe(403);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel deletion" }).click();
  await page.getByRole("button", { name: "Keep organisation" }).click();
  await expect(page.getByRole("button", { name: "Delete…" })).toBeVisible();
  await expect(page.getByText("Suspended", { exact: true }).first()).toBeVisible();

  await page.getByRole("link", { name: "Installation" }).click();
  await expect(page.getByRole("row", { name: /One-time codes.*Working/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Log" }).click();
  for (const said of [
    "Channel taken back",
    "Channel senders changed",
    "Channel assigned",
    "Deletion canceled",
    "Deletion requested",
    "Quotas changed",
    "Fees changed",
    "Organisation reactivated",
    "Organisation suspended",
    "Organisation created",
  ]) {
    await expect(page.getByRole("cell", { name: said }).first()).toBeVisible();
  }
  await expectAccessible(page);

  operator("remove", email);
  await page.goto("/console/organisations");
  await expect(page).toHaveURL(/\/console\/sign-in$/);
});
