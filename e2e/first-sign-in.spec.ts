import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { pngOf } from "../server/testing/pictures.ts";
import { checkPages } from "./page-matrix.ts";
import { expectFits } from "./expect-fits.ts";

/* An installation of its own, without the demo: from its first start to the first message of its first organisation. */

const port = Number(new URL(process.env.E2E_BASE_URL ?? "http://localhost:3210").port) + 20;
const base = `http://localhost:${String(port)}`;
const folder = mkdtempSync(path.join(tmpdir(), "tidings-empty-"));
const password = "correct horse battery staple";

let installation: ChildProcess;
let setUpAddress = "";

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const { DATABASE_URL: _given, CONSOLE: _on, ...environment } = process.env;
  installation = spawn(process.execPath, ["scripts/supervisor.ts"], {
    env: { ...environment, PORT: String(port), DATA_DIR: folder, DEMO: "off", PUBLIC_URL: base },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  await new Promise<void>((resolve, reject) => {
    installation.once("exit", () => reject(new Error(`It did not start.\n${told}`)));
    installation.stdout?.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      const address = /\S+\/set-up#\S+/.exec(told)?.[0];
      if (address === undefined) return;
      setUpAddress = address;
      resolve();
    });
  });
});

test.afterAll(async () => {
  installation.kill("SIGTERM");
  if (installation.exitCode === null) await once(installation, "exit");
  rmSync(folder, { recursive: true, force: true });
});

test("an empty installation is set up, its owner sees the first steps and sends in the sandbox", async ({
  page,
  request,
}) => {
  test.setTimeout(120_000);
  await page.goto(`${base}/`);
  await expect(page).toHaveURL(`${base}/set-up`);
  await expect(page.getByLabel("Set-up token")).toBeVisible();
  await expectAccessible(page);

  await page.goto(setUpAddress);
  await expect(page).toHaveURL(`${base}/set-up`);
  await page.getByLabel("Name", { exact: true }).fill("Café Söhne");
  await expect(page.getByLabel("Short name")).toHaveValue("cafe-sohne");
  await page.getByLabel("Your name").fill("Ada Owner");
  await page.getByLabel("E-mail").fill("ada@cafe.example");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Set up organisation" }).click();
  const key = (await page.locator("code", { hasText: /^tdg_sbx_/ }).textContent()) ?? "";
  await expectAccessible(page);

  // What the page shows works as it is shown.
  const sent = await request.post(`${base}/api/app/notifications/send`, {
    headers: { Authorization: `Bearer ${key}` },
    data: {
      transactionId: "first-message-1",
      application: "webshop",
      region: "DE",
      language: "en",
      notificationType: "order",
      notificationSubtype: "order_status",
      recipients: [{ channel: "email", recipient: "ada@example.com" }],
      templateVariables: [{ customerName: "Ada" }, { orderNumber: "A-1042" }, { status: "shipped" }],
    },
  });
  expect(sent.status(), await sent.text()).toBe(202);
  const [message] = ((await sent.json()) as { notifications: { notificationId: string }[] }).notifications;

  await page.getByRole("button", { name: "Go to the portal" }).click();
  await expect(page).toHaveURL(`${base}/cafe-sohne/overview`);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByText("1 of 6 steps done")).toBeVisible();
  await page.goto(`${base}/cafe-sohne/messages/${message?.notificationId ?? ""}?env=sandbox`);
  await expect(page.getByText(/^delivered( \(simulated\))?$/i).first()).toBeVisible({ timeout: 20_000 });

  await page.goto(`${base}/cafe-sohne/overview`);
  await steps.getByRole("link", { name: /Connect a provider/ }).click();
  await expect(page).toHaveURL(/providers\/new/);
  await page.goto(`${base}/cafe-sohne/overview`);
  await steps.getByRole("button", { name: "Hide" }).click();
  await expect(steps).toBeHidden();

  // Nor a console that nobody switched on.
  for (const path of ["/console", "/console/sign-in", "/console/organisations"]) {
    expect((await page.goto(`${base}${path}`))?.status(), path).toBe(404);
  }

  // There is no second time.
  const again = await page.goto(`${base}/set-up`);
  expect(again?.status()).toBe(404);
});

test("settings: what the organisation consists of is made, changed and kept while it is used", async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  await page.goto(`${base}/sign-in`);
  await page.getByLabel("E-mail").fill("ada@cafe.example");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/overview/);

  await page.goto(`${base}/cafe-sohne/settings`);
  await expectAccessible(page);
  const open = (name: string) =>
    page
      .getByRole("main")
      .getByRole("link", { name: new RegExp(`^${name}`) })
      .first()
      .click();
  const act = async (name: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  await open("Teams");
  await page.getByRole("button", { name: "New team" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Support");
  await page.getByRole("button", { name: "Create team" }).click();
  await expect(page.getByRole("list", { name: "Teams" }).getByText("support", { exact: true })).toBeVisible();
  await act("Main team", "Delete…");
  await expect(page.getByRole("dialog").getByRole("link", { name: "1 application" })).toBeVisible();
  await page.getByRole("button", { name: "Close" }).first().click();
  await act("Support", "Delete…");
  const confirm = page.getByRole("alertdialog");
  await expect(confirm.getByRole("button", { name: "Delete the team" })).toBeDisabled();
  await confirm.getByRole("textbox").fill("Support");
  await confirm.getByRole("button", { name: "Delete the team" }).click();
  await expect(page.getByRole("list", { name: "Teams" }).getByText("Support", { exact: true })).toBeHidden();

  await page.goto(`${base}/cafe-sohne/settings/notification-types`);
  await page.getByRole("button", { name: "New type" }).click();
  await page.getByLabel("Name", { exact: true }).fill("invoice");
  await page.getByLabel("Subtypes").fill("created\noverdue");
  await page.getByRole("button", { name: "Create type" }).click();
  await expect(page.getByText("created, overdue")).toBeVisible();

  await page.goto(`${base}/cafe-sohne/settings/applications`);
  await page.getByRole("button", { name: "New application" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Back office");
  await page.getByRole("button", { name: "Create application" }).click();
  await expect(page.getByText("back-office")).toBeVisible();
  await act("Back office", "Archive…");
  await confirm.getByRole("textbox").fill("Back office");
  await confirm.getByRole("button", { name: "Archive application" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await act("Back office", "Restore");
  await expect(page.getByText("Archived", { exact: true })).toBeHidden();

  // A logo shows at once where it is said to, and a file that is none is refused in words.
  await page.goto(`${base}/cafe-sohne/settings/branding`);
  const logo = page.getByLabel("Logo image");
  await expect(logo).toBeEnabled();
  await logo.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") });
  await expect(
    page.getByRole("alert").filter({ hasText: "SVG and HTML can contain programs" }),
  ).toBeVisible();
  await logo.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: pngOf(120, 40) });
  await expect(page.getByText("PNG, 120 × 40 pixels")).toBeVisible();
  const shown = page.locator("aside img");
  await expect(shown).toHaveJSProperty("naturalWidth", 120);
  await page.getByLabel("Accent colour", { exact: true }).fill("#ffe600");
  await expect(page.getByText("Text on it is black")).toBeVisible();
  await expect(page.getByText("Buttons hardly stand out on white")).toBeVisible();
  await page.getByLabel("Accent colour", { exact: true }).fill("#0A7F5A");
  await page.getByLabel("Sender name").fill("Café Söhne, people team");
  await page.getByLabel("Support", { exact: true }).fill("javascript:alert(1)");
  await expect(page.getByText("A mail address, or an address that begins with https://")).toBeVisible();
  await page.getByLabel("Support", { exact: true }).fill("help@cafe.example");
  await expect(page.getByText("Sent by Café Söhne, people team through Tidings.")).toBeVisible();
  await page.getByRole("button", { name: "Save branding" }).click();
  await expect(page.getByText("Branding saved")).toBeVisible();
  await page.goto(`${base}/cafe-sohne/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  const invite = page.getByRole("dialog");
  await invite.getByLabel("E-mail").fill("mia@cafe.example");
  await invite.getByLabel("Name", { exact: true }).fill("Mia");
  await invite.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "Finance" }).click();
  await invite.getByRole("button", { name: "Invite" }).click();
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto((await invite.getByText(/\/invitation#inv_/).textContent()) ?? "");
  await expect(theirs.locator("main img")).toHaveJSProperty("naturalWidth", 120);
  await expect(theirs.getByRole("button", { name: "Join Café Söhne" })).toHaveCSS(
    "background-color",
    "rgb(10, 127, 90)",
  );
  await expect(theirs.getByRole("link", { name: "help@cafe.example" })).toHaveAttribute(
    "href",
    "mailto:help@cafe.example",
  );
  await expectAccessible(theirs);
  await theirs.context().close();

  for (const section of [
    "organisation",
    "branding",
    "teams",
    "applications",
    "environments",
    "notification-types",
    "consent",
    "data",
    "short-links",
    "ai",
  ]) {
    await page.goto(`${base}/cafe-sohne/settings/${section}`);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFits(page, section);
    await page.setViewportSize({ width: 1280, height: 720 });
  }
});

test("every page of an organisation tells a member of another one what one tells that does not exist, and nobody where to sign in", async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000);
  const { DATABASE_URL: _given, ...environment } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      "scripts/tenant.ts",
      "create",
      "--name",
      "Basalt",
      "--slug",
      "basalt",
      "--owner",
      "bea@basalt.example",
    ].concat(["--owner-name", "Bea Stranger"]),
    { env: { ...environment, DATA_DIR: folder, PUBLIC_URL: base } },
  );
  await page.goto(/\S+\/set-password#\S+/.exec(stdout)?.[0] ?? "");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(/sign-in/);
  await page.goto(`${base}/sign-in?organisation=basalt`);
  await page.getByLabel("E-mail").fill("bea@basalt.example");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/basalt\/overview/);
  const nobody = await browser.newContext();
  await checkPages(base, "cafe-sohne", { nobody: nobody.request, stranger: page.request }, [
    "Café Söhne",
    "Ada Owner",
    "ada@cafe.example",
  ]);
});
