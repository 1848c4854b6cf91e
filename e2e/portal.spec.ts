import type AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import type { APIRequestContext, Page } from "@playwright/test";
import { axeOf } from "./accessible.ts";
import { api, send, signIn } from "./quickstart.ts";
import { expectFits } from "./expect-fits.ts";

const pages = [
  "overview",
  "messages",
  "send",
  "templates",
  "pipeline",
  "pipeline/promotions",
  "pipeline/settings",
  "providers",
  "providers/new",
  "providers/new?provider=twilio",
  "providers/new?provider=smpp",
  "routing",
  "routing?tab=matrix",
  "routing?tab=unroutable",
  "routing?tab=history",
  "routing/rules/new",
  "health",
  "conversations",
  "conversations?env=sandbox",
  "consent",
  "consent?env=sandbox&address=%2B4915112345678",
  "consent?address=nothing",
  "suppressions",
  "suppressions?reason=complaint&q=nobody",
  "webhooks",
  "api-keys",
  "sandbox",
  "mailbox",
  "members",
  "members?tab=invitations",
  "roles",
  "audit",
  "account",
  "settings",
  "settings/consent",
  "settings/quiet-hours",
];

test("a wrong password is refused without saying what was wrong", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill("nobody@acme.example");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: /wrong/i })).toBeVisible();
});

test("nobody sees the portal without signing in, and the sign-in leads back", async ({ page }) => {
  await page.goto("/acme/messages");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("another tenant's address is not found", async ({ page }) => {
  await signIn(page);
  const response = await page.goto("/somebody-else/overview");
  expect(response?.status()).toBe(404);
});

test("a message sent from the portal is followed to its end", async ({ page, request }) => {
  const templates = await api<{ data: { id: string; language: string | null }[] }>(
    request,
    "GET",
    "/v1/templates?name=order-status&channel=sms",
    undefined,
    "sandbox",
  );
  const template = templates.body.data.find((entry) => entry.language === "en")?.id ?? "";
  await signIn(page);
  await page.goto(`/acme/send?env=sandbox&template=${template}`);
  await page.getByRole("textbox", { name: /phone numbers|e-mail addresses/i }).fill("+4915112345678");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^send/i }).last().click();
  await expect(
    page
      .getByText(/^delivered( \(simulated\))?$/i)
      .filter({ visible: true })
      .first(),
  ).toBeVisible({ timeout: 20_000 });
});

test("the message list keeps its filters in the address, opens a row beside it and moves by keyboard", async ({
  page,
  request,
}) => {
  await send(request, { recipients: [{ channel: "email", recipient: "list-a@example.com" }] });
  await send(request, { recipients: [{ channel: "email", recipient: "list-b@example.com" }] });
  await signIn(page);
  await page.goto("/acme/messages?env=production");
  await expect(page.getByRole("row").filter({ hasText: "list-b@example.com" })).toBeVisible();
  await page
    .getByRole("searchbox")
    .or(page.getByRole("textbox", { name: /search messages/i }))
    .first()
    .fill("list-a@example.com");
  await expect(page).toHaveURL(/list-a/);
  await expect(page.getByRole("row").filter({ hasText: "list-b@example.com" })).toHaveCount(0);
  await page.getByRole("row").filter({ hasText: "list-a@example.com" }).first().click();
  await expect(
    page
      .getByRole("dialog")
      .or(page.getByRole("complementary", { name: /message/i }))
      .first(),
  ).toContainText("list-a@example.com");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("an API key is shown once and can be revoked", async ({ page, request }) => {
  const name = `Journey key ${String(Date.now())}`;
  await signIn(page);
  await page.goto("/acme/api-keys");
  await page.getByRole("button", { name: "Create API key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key =
    (
      await page
        .getByText(/tdg_(live|test|sbx)_[0-9A-Za-z]{40,}/)
        .first()
        .textContent()
    )?.trim() ?? "";
  expect(
    (await request.get("/v1/notifications", { headers: { Authorization: `Bearer ${key}` } })).status(),
  ).toBe(200);
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).first().click();
  await expect(page.getByText(key)).toHaveCount(0);
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button").last().click();
  await page.getByRole("menuitem", { name: /revoke/i }).click();
  const confirm = page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
  await confirm.getByRole("textbox").fill(name);
  await confirm.getByRole("button", { name: /revoke/i }).click();
  await expect
    .poll(
      async () =>
        (await request.get("/v1/notifications", { headers: { Authorization: `Bearer ${key}` } })).status(),
      { timeout: 10_000 },
    )
    .toBe(401);
});

test("a form says at the field what is wrong, leads there, and keeps what was typed until it is closed", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/acme/webhooks?env=sandbox");
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const dialog = page.getByRole("dialog");
  const url = dialog.getByLabel("URL");
  const description = dialog.getByLabel("Description");
  const add = dialog.getByRole("button", { name: "Add endpoint" });
  await description.fill("The order service");
  await add.click();
  await expect(url).toBeFocused();
  await expect(url).toHaveAccessibleDescription(/Fill in this field/);
  // What only the service can know stands at the same place.
  await url.fill("https://10.0.0.1/hooks");
  await expect(url).not.toHaveAttribute("aria-invalid");
  await add.click();
  await expect(url).toHaveAccessibleDescription(/public address/);
  await expect(url).toBeFocused();
  await expect(description).toHaveValue("The order service");
  // None chosen would be all.
  await dialog.getByRole("radio", { name: "Chosen" }).click();
  await add.click();
  await expect(dialog.getByText("Choose at least one event")).toBeVisible();
  await expect(
    dialog
      .getByRole("group", { name: "Not part of “All”, sent only if chosen" })
      .getByRole("checkbox", { name: "budget.threshold_reached" }),
  ).toBeVisible();
  await dialog.getByRole("checkbox", { name: "notification.delivered" }).check();
  await expect(dialog.getByText("Choose at least one event")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  await expect(description).toHaveValue("");
});

/** Every page by its address, with one of each thing that has a page of its own. */
async function addresses(request: APIRequestContext): Promise<string[]> {
  const first = async (list: string) =>
    (await api<{ data: { id: string }[] }>(request, "GET", list)).body.data[0]?.id ?? "";
  const [provider, rule] = await Promise.all([first("/v1/providers"), first("/v1/routing-rules")]);
  return [...pages, `providers/${provider}`, `providers/${provider}/edit`, `routing/rules/${rule}`];
}

/** Opens a page and waits for its content, past the skeleton. */
async function openLoaded(page: Page, address: string): Promise<void> {
  await page.goto(`/acme/${address}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("main [aria-busy=true]"), address).toHaveCount(0);
}

test("no page has a serious accessibility violation, in light or dark, and the name of each button and link has in it what is seen of it", async ({
  page,
  request,
}) => {
  test.setTimeout(480_000);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await signIn(page);
  const faults: string[] = [];
  const note = (where: string, { violations }: Awaited<ReturnType<AxeBuilder["analyze"]>>) => {
    for (const { id, impact, nodes } of violations)
      if (impact === "serious" || impact === "critical")
        faults.push(`${where}: ${id} ${nodes[0]?.html.slice(0, 200) ?? ""}`);
  };
  for (const name of await addresses(request)) {
    await openLoaded(page, name);
    const light = (await axeOf(page)).exclude("iframe");
    // So that it can be said to a computer that listens.
    light.options({ rules: { "label-content-name-mismatch": { enabled: true } } });
    note(name, await light.analyze());
    // What is there in the dark is the same, in other colours.
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    const dark = (await axeOf(page)).exclude("iframe").withRules(["color-contrast", "link-in-text-block"]);
    note(`${name} in dark`, await dark.analyze());
    await page.emulateMedia({ colorScheme: "light" });
  }
  expect(faults).toEqual([]);
});

test("every page fits a phone, comes with its first data and is taken over as the server drew it", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  // A wrong clock must not make other questions of those that the server has answered.
  await page.clock.setSystemTime(Date.now() + 4_000_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  for (const name of await addresses(request)) {
    await openLoaded(page, name);
    await expectFits(page, name);
  }
  expect(faults).toEqual([]);
});

test("the first data of a page is in the page itself, in the reader's time zone", async ({
  page,
  request,
}) => {
  const to = `first-data-${String(Date.now())}@example.com`;
  await send(request, { recipients: [{ channel: "email", recipient: to }] });
  await signIn(page);
  const asked: string[] = [];
  page.on("request", (outgoing) => {
    if (outgoing.url().includes("/api/trpc/notifications.list")) asked.push(outgoing.url());
  });
  const source = await (await page.request.get("/acme/messages?env=production")).text();
  expect(source).toContain(to);
  await page.goto("/acme/messages?env=production");
  await expect(page.getByRole("row").filter({ hasText: to })).toBeVisible();
  expect(asked).toEqual([]);
});

test("the API explorer is served from here and shows the operations", async ({ page }) => {
  const foreign: string[] = [];
  page.on("request", (outgoing) => {
    if (new URL(outgoing.url()).hostname !== "localhost") foreign.push(outgoing.url());
  });
  await page.goto("/docs/explorer");
  await expect(page.getByText("/v1/notifications", { exact: true }).first()).toBeVisible();
  expect(foreign).toEqual([]);
});

test("the guides are read without signing in, a script or a foreign host, and their code can be copied", async ({
  browser,
  page,
}) => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const reader = await plain.newPage();
  await reader.goto("/docs");
  await reader.getByRole("link", { name: "Send your first message" }).first().click();
  await expect(reader.getByRole("heading", { level: 1, name: "Send your first message" })).toBeVisible();
  await reader.getByRole("link", { name: "Webhooks", exact: true }).first().click();
  await expect(reader).toHaveURL(/\/docs\/webhooks$/);
  await plain.close();

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/send");
  await page.getByRole("button", { name: "Copy" }).first().click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("/api/app/notifications/send");
});
