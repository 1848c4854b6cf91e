import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { builtInRoles } from "../server/operations/permissions.ts";
import { checkRole } from "./page-matrix.ts";
import { newMember } from "./people.ts";
import { api, send, signIn } from "./quickstart.ts";

test("a form says at its fields what is missing, never in a bubble of the browser", async ({ page }) => {
  await page.goto("/sign-in");
  const email = page.getByLabel("E-mail");
  const password = page.getByLabel("Password", { exact: true });
  await email.fill("nobody");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Check the highlighted fields" })).toBeVisible();
  await expect(email).toHaveAccessibleDescription(/Enter an e-mail address/);
  await expect(password).toHaveAccessibleDescription(/Fill in this field/);
  await expect(email).toBeFocused();
  await email.fill("nobody@example.com");
  await expect(email).not.toHaveAttribute("aria-invalid");
  await expect(password).toHaveAttribute("aria-invalid", "true");
});

test("a region is found by its name or its code, with the keyboard alone", async ({ page }) => {
  await signIn(page);
  await page.goto("/acme/settings/consent");
  const region = page.getByRole("combobox", { name: "Region of the recipient" });
  await region.click();
  await region.fill("united k");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(region).toHaveValue("United Kingdom (GB)");
  await region.fill("fr");
  await page.keyboard.press("Tab");
  await expect(region).toHaveValue("France (FR)");
  await region.fill("Atlantis");
  await expect(page.getByText("No match")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(region).toHaveValue("France (FR)");
});

test("changes that are not saved are left after a question only, saved ones without", async ({ page }) => {
  await signIn(page);
  await page.goto("/acme/settings/branding");
  const sender = page.getByLabel("Sender name");
  const before = await sender.inputValue();
  const unsaved = page.getByRole("group", { name: "Unsaved changes" });
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  const sections = page.getByRole("navigation", { name: "Settings" });
  await sender.fill("Somebody else");
  await sections.getByRole("link", { name: "Teams", exact: true }).click();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);
  await expect(sender).toHaveValue("Somebody else");
  await sections.getByRole("link", { name: "Teams", exact: true }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/acme\/settings\/teams/);
  await sections.getByRole("link", { name: "Branding", exact: true }).click();
  await expect(sender).toHaveValue(before);

  for (const name of ["Acme people team", before]) {
    await sender.fill(name);
    await page.getByRole("button", { name: "Save branding" }).click();
    await expect(unsaved).toHaveCount(0);
    await sections.getByRole("link", { name: "Teams", exact: true }).click();
    await expect(page).toHaveURL(/\/acme\/settings\/teams/);
    await sections.getByRole("link", { name: "Branding", exact: true }).click();
    await expect(sender).toHaveValue(name);
  }
});

test("a connection that was begun is left, and another environment shown in place of a new rule's, after a question only", async ({
  page,
}) => {
  await signIn(page);
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  const name = page.getByLabel("Name", { exact: true });
  await page.goto("/acme/routing/rules/new");
  await name.fill("Half a rule");
  await page.getByRole("button", { name: /^Environment: / }).click();
  await page.getByRole("menuitem", { name: /^Sandbox/ }).click();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);
  await expect(name).toHaveValue("Half a rule");
  await page.getByRole("button", { name: "Discard" }).click();

  await page.goto("/acme/providers/new?provider=twilio");
  await name.fill("Half a connection");
  const cancel = page.getByRole("link", { name: "Cancel" });
  await cancel.click();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(name).toHaveValue("Half a connection");
  await page.getByRole("link", { name: "All providers" }).click();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(name).toHaveValue("Half a connection");
  await cancel.click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/acme\/providers(\?|$)/);
});

test("a broadcast that was begun and a message that was not sent are left after a question only", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/acme/broadcasts/new");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Half a broadcast");
  const back = page.getByRole("main").getByRole("link", { name: "Broadcasts" });
  await back.click();
  const unsaved = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await unsaved.getByRole("button", { name: "Stay" }).click();
  await expect(name).toHaveValue("Half a broadcast");
  await back.click();
  await unsaved.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/acme\/broadcasts(\?|$)/);

  await page.goto("/acme/send?env=sandbox");
  const recipients = page.getByRole("textbox", { name: /phone numbers|e-mail addresses/i });
  // Not even a recipient yet.
  await recipients.fill("half@");
  await page.keyboard.press("Control+k");
  await page
    .getByRole("option", { name: /^Templates/ })
    .first()
    .click();
  const unsent = page.getByRole("alertdialog", { name: "Leave without sending?" });
  await unsent.getByRole("button", { name: "Stay" }).click();
  await expect(page).toHaveURL(/\/acme\/send/);
  await page.getByRole("button", { name: "Remove half@" }).click();
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Messages", exact: true })
    .click();
  await expect(page).toHaveURL(/\/acme\/messages/);
});

test("with the browser's Back, what was typed into a dialog is left after a question only", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/acme/webhooks");
  // Before it listens, a link would load another document, which the browser itself asks about.
  await expect(page.getByRole("button", { name: /^Environment: / })).toBeEnabled();
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "API keys", exact: true })
    .click();
  await page.getByRole("button", { name: "Create API key" }).first().click();
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Half a key");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  const back = () => page.evaluate(() => window.history.back());
  await back();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(/\/acme\/api-keys/);
  await expect(name).toHaveValue("Half a key");
  await back();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/acme\/webhooks/);
  await expect(page.getByRole("dialog", { name: "Create API key" })).toHaveCount(0);
});

test("what was entered outlives the session: the page is covered until its person has signed in again", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/acme/settings/branding");
  const sender = page.getByLabel("Sender name");
  await sender.fill("Written before the session ended");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save branding" }).click();
  const ended = page.getByRole("alertdialog", { name: "Your session has ended" });
  await expect(ended.getByRole("link", { name: "Sign in in a new tab" })).toHaveAttribute(
    "href",
    /^\/acme\/settings\/branding/,
  );
  await expect(ended).toBeVisible();
  const elsewhere = await page.context().newPage();
  await signIn(elsewhere);
  await elsewhere.close();
  await expect(ended).toHaveCount(0, { timeout: 10_000 });
  await expect(sender).toHaveValue("Written before the session ended");
  await page.getByRole("button", { name: "Discard" }).click();
});

test("what is chosen in a select stands in the page that the server sends", async ({ page }) => {
  await signIn(page);
  const html = await (await page.request.get("/acme/costs")).text();
  const chosen = [...html.matchAll(/role="combobox"[^>]*>\s*<span[^>]*>(.*?)<\/span>/g)].map(
    ([, text]) => text,
  );
  expect(chosen.length).toBeGreaterThan(0);
  for (const text of chosen) expect(text).not.toBe("");
});

test("a connection to any HTTP provider is set up step by step, from what is known of a gateway", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/acme/providers/new?provider=http");
  await page.getByLabel("Name", { exact: true }).fill(`Gateway ${String(Date.now())}`);
  await page.getByRole("combobox", { name: "Start from" }).click();
  await page.getByRole("option", { name: "Telnyx" }).click();
  await expect(page.getByText("Where to find it: Telnyx Portal → API Keys")).toBeVisible();
  const url = page.getByLabel("URL", { exact: true });
  await expect(url).toHaveValue("https://api.telnyx.com/v2/messages");
  await page
    .getByRole("button", { name: "2 Authentication" })
    .or(page.getByRole("button", { name: "Authentication" }))
    .first()
    .click();
  await page.getByLabel("Secrets").fill("apiKey = not-a-real-key");
  await page.getByRole("button", { name: "Response" }).first().click();
  await expect(page.getByLabel("Message ID field")).toHaveValue("$.data.id");

  // Receipts need a secret: the step with the complaint opens, and its field has the focus.
  await page.getByRole("button", { name: "Add connection" }).click();
  const secret = page.getByLabel("Callback signing secret");
  await expect(secret).toBeFocused();
  await expect(secret).toHaveAttribute("aria-invalid", "true");
  await secret.fill("a-secret-of-some-length");
  await page.getByRole("button", { name: "Test", exact: true }).first().click();
  await page.getByLabel("Body", { exact: true }).fill('{"data":{"id":"40385f64"}}');
  await page.getByRole("button", { name: "Test before saving" }).click();
  await expect(page.getByText("40385f64", { exact: false }).last()).toBeVisible({ timeout: 30_000 });
});

test("a webhook endpoint shows its success rate, headers as sent, and retries now; one that is gone says how it comes back", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  let status = 500;
  const seen: string[] = [];
  const receiver = createServer((incoming, answer) => {
    seen.push(String(incoming.headers["webhook-signature"]));
    incoming.resume().on("end", () => answer.writeHead(status).end());
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  try {
    const { port } = receiver.address() as AddressInfo;
    const created = await api<{ id: string }>(
      request,
      "POST",
      "/v1/webhooks",
      {
        url: `http://127.0.0.1:${String(port)}/hooks`,
        application: "webshop",
        events: ["notification.queued"],
        retrySchedule: [0, 3_600, 3_600],
      },
      "sandbox",
    );
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const recipients = [{ channel: "sms", recipient: "+4915112345678" }];
    await send(request, { recipients }, "sandbox");
    await signIn(page);
    await page.goto(`/acme/webhooks/${created.body.id}?env=sandbox`);
    await page.getByRole("row").filter({ hasText: "notification.queued" }).first().click();
    const panel = page.getByRole("dialog");
    await expect(panel.getByText("Attempt 1")).toBeVisible({ timeout: 20_000 });
    await panel.getByText("Request headers").first().click();
    await expect(panel.getByText(`webhook-signature: ${seen[0] ?? "none"}`)).toBeVisible();
    await expect(panel.getByText("Next attempt")).toBeVisible();

    status = 204;
    await panel.getByRole("button", { name: "Retry now" }).click();
    await expect(panel.getByText("Attempt 2")).toBeVisible({ timeout: 20_000 });
    await page.keyboard.press("Escape");
    // The address says which panel is open, a moment after it was closed.
    await expect(page).not.toHaveURL(/[?&]open=/);
    await page.reload();
    await expect(page.getByText("1 of 1 delivered").first()).toBeVisible({ timeout: 20_000 });

    status = 410;
    await send(request, { recipients }, "sandbox");
    const off = page.getByRole("status", { name: "Turned off automatically" });
    await expect(async () => {
      await page.reload();
      await expect(off).toContainText("HTTP 410 (Gone)", { timeout: 2_000 });
    }).toPass({ timeout: 40_000 });
    await expect(off).toContainText("Turn it on once the receiver works");
    status = 204;
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByRole("dialog", { name: "Replay missed events?" })).toBeVisible();
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

test("every page that a role does not include says so, and none greets it with an error", async ({
  page,
  browser,
}) => {
  test.setTimeout(420_000);
  const context = await browser.newContext({ locale: "en-US" });
  const finance = await context.newPage();
  await newMember(page, finance, `mia.${String(Date.now())}@acme.example`);
  expect(await checkRole(finance, "acme", builtInRoles.finance.permissions)).toBeGreaterThan(40);
});
