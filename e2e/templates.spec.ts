import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { api, pasteBody, quickstart, send, signIn } from "./quickstart.ts";

interface Found {
  id: string;
  latestVersion: number;
  language: string | null;
  deployments: { environment: string; version: number }[];
}

/** A demo template by name, channel and language. */
async function find(
  request: APIRequestContext,
  name: string,
  channel: string,
  language: string,
): Promise<Found> {
  const { body } = await api<{ data: Found[] }>(
    request,
    "GET",
    `/v1/templates?name=${name}&channel=${channel}`,
  );
  const found = body.data.find((entry) => entry.language === language);
  if (!found) throw new Error(`no template ${name} ${channel} ${language}`);
  return found;
}

const liveVersion = async (request: APIRequestContext, id: string, environment: string) =>
  (await api<Found>(request, "GET", `/v1/templates/${id}`)).body.deployments.find(
    (entry) => entry.environment === environment,
  )?.version;

async function asReviewer(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, "reviewer");
  return page;
}

/** The version of the template that a message sent now in production uses. */
async function sentVersion(request: APIRequestContext): Promise<number> {
  const sent = await send(request, { recipients: [{ channel: "sms", recipient: "+4915112345678" }] });
  expect(sent.status).toBe(202);
  const { body } = await api<{ template: { version: number } }>(
    request,
    "GET",
    `/v1/notifications/${sent.body.notifications[0]?.notificationId ?? ""}`,
  );
  return body.template.version;
}

test("a text goes from a blocked draft to production and back, through two people's hands", async ({
  page,
  browser,
  request,
}) => {
  test.setTimeout(120_000);
  const template = await find(request, "order-status", "sms", "en");
  const before = await liveVersion(request, template.id, "production");
  expect(await sentVersion(request)).toBe(before);

  // Write what moderation blocks, and take its suggestion.
  await signIn(page);
  await page.goto(`/acme/templates/${template.id}/edit`);
  const mark = `E2E ${String(Date.now())}`;
  await pasteBody(
    page,
    `${mark}: {{ customerName }}, order {{ orderNumber }} is {{ status }} and guaranteed to double your joy. {{ trackingUrl }}`,
  );
  await expect(page.getByRole("region", { name: /preview/i }).or(page.locator("main"))).toContainText(mark);
  await page.keyboard.press("ControlOrMeta+S");
  await expect(page.getByText(/moderation refuses the text/i)).toBeVisible();
  const findings = page.getByRole("list", { name: "Moderation findings" });
  await expect(findings).toContainText("Nobody can promise this.");
  await findings.getByRole("button", { name: "Apply suggestion" }).first().click();
  expect(await liveVersion(request, template.id, "staging")).toBe(template.latestVersion);

  // Save it, and see it as a recipient would.
  await page.getByLabel("What does this version change?").fill("A warmer order status");
  await page.getByRole("button", { name: "Save as a new version" }).click();
  const version = template.latestVersion + 1;
  await expect.poll(() => liveVersion(request, template.id, "staging")).toBe(version);
  expect(await liveVersion(request, template.id, "production")).toBe(before);
  await page.goto(`/acme/templates/${template.id}`);
  await expect(page.getByText(`${mark}: Ada`).first()).toBeVisible();
  await expect(page.getByText("worth a look").first()).toBeVisible();
  expect(await sentVersion(request)).toBe(before);

  // Request production; nobody approves their own request.
  await page.goto("/acme/pipeline?application=webshop&q=order-status&differing=true");
  await page
    .getByRole("checkbox", { name: /^Select order-status/ })
    .first()
    .check();
  await page.getByRole("button", { name: /^Promote 1 to Production/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note").fill("For the autumn");
  await dialog.getByRole("button", { name: /^Request promotion/ }).click();
  await expect(dialog.getByText(/awaiting approval/i)).toBeVisible();
  await dialog.getByRole("link", { name: "Open promotion" }).click();
  await expect(page).toHaveURL(/\/pipeline\/promotions\//);
  await expect(page.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  const promotionUrl = page.url();
  expect(await sentVersion(request)).toBe(before);

  // The other person is notified, reviews and approves.
  const reviewer = await asReviewer(browser);
  await reviewer
    .getByRole("button", { name: /notice|notification/i })
    .first()
    .click();
  await reviewer
    .getByRole("link", { name: /webshop|promot/i })
    .first()
    .click();
  await expect(reviewer).toHaveURL(promotionUrl.replace(/\?.*/, ""));
  await expect(reviewer.getByText("For the autumn").first()).toBeVisible();
  await reviewer.getByRole("button", { name: /^Approve/ }).click();
  await reviewer.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => liveVersion(request, template.id, "production")).toBe(version);
  // Other processes see it within a second.
  await expect.poll(() => sentVersion(request)).toBe(version);

  // A problem is found after all.
  await reviewer.getByRole("button", { name: /^Roll back/ }).click();
  await reviewer.getByRole("dialog").getByLabel("Reason").fill("Too warm");
  await reviewer.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await expect.poll(() => liveVersion(request, template.id, "production")).toBe(before);
  await expect.poll(() => sentVersion(request)).toBe(before);
  await reviewer.context().close();
});

test("a text can be read before any script has run; a draft of it survives a reload, and a conflict with a faster save", async ({
  page,
  request,
}) => {
  const template = await find(request, "order-status", "sms", "de");
  await signIn(page);
  const drawn = await (await page.request.get(`/acme/templates/${template.id}/edit`)).text();
  expect(drawn).toMatch(/<pre[^>]*>[^<]*\{\{ orderNumber \}\}/);
  await page.goto(`/acme/templates/${template.id}/edit`);
  const mark = `Entwurf ${String(Date.now())}`;
  await pasteBody(page, `${mark}: {{ customerName }} {{ orderNumber }} {{ status }} {{ trackingUrl }}`);
  await expect(page.locator("main")).toContainText(mark);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.locator("main")).toContainText(mark);
  // The form is there, and not only what the device shows of it first.
  await expect(page.getByRole("button", { name: "Discard draft" })).toBeVisible();
  await expect(page.locator(".monaco-editor").first()).toBeVisible();

  const { body: current } = await api<Record<string, unknown>>(
    request,
    "GET",
    `/v1/templates/${template.id}`,
  );
  const theirs = await api(request, "PUT", `/v1/templates/${template.id}`, {
    body: "Hallo {{ customerName }}, {{ orderNumber }}: {{ status }} {{ trackingUrl }}",
    variables: current.variables,
  });
  expect(theirs.status).toBe(200);
  await page.keyboard.press("ControlOrMeta+S");
  await expect(page.getByText(/saved version \d+ in the meantime/)).toBeVisible();
  await page.getByRole("button", { name: "Save mine as the next version" }).click();
  await expect
    .poll(async () => (await api<{ body: string }>(request, "GET", `/v1/templates/${template.id}`)).body.body)
    .toContain(mark);
});

test("a draft is streamed into the editor, can be discarded, and uses only declared variables", async ({
  page,
  request,
}) => {
  const template = await find(request, "order-status", "sms", "en");
  await signIn(page);
  await page.goto(`/acme/templates/${template.id}/edit`);
  await page.getByRole("tab", { name: "AI", exact: true }).click();
  const prompt = page.getByRole("textbox", { name: "What should the text say?" });
  const run = page.getByRole("button", { name: "Write", exact: true });
  const editor = page.locator("main");

  await prompt.fill("Please take your time");
  await run.click();
  await expect(editor).toContainText("This will take a wh");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(editor).not.toContainText("This will take a wh");

  await prompt.fill("use a variable of your own");
  await run.click();
  await expect(page.getByText("It can't be used as it is.")).toBeVisible();
  // Also in the preview, once it has tried the text.
  await expect(page.getByRole("button", { name: "Declare stranger" }).first()).toBeVisible();
  await page.getByRole("button", { name: /^Discard and restore text/ }).click();
  await expect(editor).not.toContainText("stranger");

  await prompt.fill("Tell them that the order is on its way");
  await run.click();
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(editor).toContainText("good news: your order is on its way");
});

test("a kill switch stops a template in one environment at once", async ({ request }) => {
  const template = await find(request, "order-status", "sms", "en");
  const turn = (disabled: boolean) =>
    api(request, "PUT", `/v1/templates/${template.id}/kill-switch`, {
      environment: "production",
      disabled,
      reason: "A wrong link",
    });
  const status = async () =>
    (await send(request, { recipients: [{ channel: "sms", recipient: "+4915112345678" }] })).status;
  expect((await turn(true)).status).toBe(200);
  await expect.poll(status).toBe(422);
  expect((await turn(false)).status).toBe(200);
  await expect.poll(status).toBe(202);
});

test("templates live in files: pulled, changed, pushed", async ({ request }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "tidings-e2e-"));
  const { baseUrl, keys } = quickstart();
  const run = (...command: string[]) =>
    execFileSync(process.execPath, ["scripts/templates.ts", ...command], {
      encoding: "utf8",
      env: { ...process.env, TIDINGS_URL: baseUrl, TIDINGS_API_KEY: keys.live },
    });
  try {
    expect(run("pull", folder, "--application", "webshop")).toMatch(/templates of webshop/);
    expect(run("push", folder)).toMatch(/0 to create, 0 to update/);
    const file = path.join(folder, "webshop/delivery-eta/sms.lang-en/body.txt");
    writeFileSync(file, `${readFileSync(file, "utf8").trimEnd()} (from a file)\n`);
    expect(run("push", folder, "--note", "From a file")).toMatch(/1 saved, 0 failed/);
    const template = await find(request, "delivery-eta", "sms", "en");
    const { body } = await api<{ body: string; note: string }>(
      request,
      "GET",
      `/v1/templates/${template.id}`,
    );
    expect(body.body).toContain("(from a file)");
    expect(body.note).toBe("From a file");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
