import { expect, test, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { newMember } from "./people.ts";
import { api, pasteBody, signIn } from "./quickstart.ts";

/** What a person who writes for the first time may take for both messages, from the list of templates to two requests; ms. */
const patience = 180_000;

async function newTemplate(page: Page, name: string, kind: string): Promise<void> {
  await page.goto("/acme/templates");
  await page.getByRole("link", { name: "New template" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("combobox", { name: "Notification type" }).click();
  await page.getByRole("textbox", { name: "Search types" }).fill(kind);
  await page.getByRole("option", { name: kind.replace("/", " / ") }).click();
}

const preview = (page: Page) => page.getByRole("status").filter({ hasText: /Up to date|problem/ });

async function create(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create template" }).click();
  await expect(page).toHaveURL(/\/templates\/[0-9a-f-]{36}\/edit/);
}

async function requestPromotion(page: Page, name: string): Promise<string> {
  await page.goto(`/acme/pipeline?application=webshop&q=${name}&differing=true`);
  await page
    .getByRole("checkbox", { name: new RegExp(`^Select ${name}`) })
    .first()
    .check();
  await page.getByRole("button", { name: /^Promote 1 to Production/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note").fill("Ready for readers");
  await dialog.getByRole("button", { name: /^Request promotion/ }).click();
  await expect(dialog.getByText(/awaiting approval/i)).toBeVisible();
  const address = await dialog.getByRole("link", { name: "Open promotion" }).getAttribute("href");
  return address ?? "";
}

test("an author writes, fixes, previews and requests promotion of an SMS and a mail alone, in time; an approver reads both", async ({
  page,
  browser,
}) => {
  test.setTimeout(360_000);
  const own = String(Date.now()).slice(-7);
  const authors = await browser.newContext();
  const author = await authors.newPage();
  await newMember(page, author, `author-${own}@acme.example`, "Template author");
  // An audience of their own, however often this runs on the same installation.
  const region = Number(own.slice(-4)) % 676;
  const letters = String.fromCharCode(65 + Math.floor(region / 26), 65 + (region % 26));
  const begin = performance.now();

  // An SMS: undeclared variables are declared where they are complained of.
  const sms = `author-sms-${own}`;
  await newTemplate(author, sms, "account/maintenance");
  await author.getByRole("radio", { name: "SMS" }).click();
  await author.getByLabel("Region").fill(letters);
  await pasteBody(
    author,
    "Bonjour {{ customerName }}, la maintenance commence : {{ from | date: 'datetime' }}.",
  );
  const problems = author.getByRole("list", { name: "Problems" });
  await expect(preview(author)).toHaveText("2 problems");
  await problems.getByRole("button", { name: "Declare customerName" }).click();
  await problems.getByRole("button", { name: "Declare from" }).click();
  await expect(preview(author)).toHaveText("Up to date");
  await expect(author.getByText(/Bonjour Ada, la maintenance commence/)).toBeVisible();
  await create(author);
  const smsPromotion = await requestPromotion(author, sms);

  // A mail: from a starter, with one more block, and a variable in the subject that nobody declared.
  const mail = `author-mail-${own}`;
  await newTemplate(author, mail, "account/maintenance");
  await author.getByLabel("Region").fill(letters);
  await author.getByRole("button", { name: /^Plain/ }).click();
  const frame = author.frameLocator('iframe[title="Rendered e-mail"]');
  await expect(frame.getByText("Write your text here.")).toBeVisible();
  await author.getByRole("button", { name: "Insert block" }).click();
  await author.getByRole("menuitem", { name: "Button" }).click();
  await expect(frame.getByText("Button text")).toBeVisible();
  await author.getByLabel("Subject").fill("News for {{ customerName }} from {{ shopName }}");
  await problems.getByRole("button", { name: "Declare shopName" }).click();
  await expect(preview(author)).toHaveText("Up to date");
  await expectAccessible(author, { without: "iframe" });
  await create(author);
  const mailPromotion = await requestPromotion(author, mail);

  const took = performance.now() - begin;
  test.info().annotations.push({ type: "took", description: `${(took / 1_000).toFixed(1)} s` });
  expect(took).toBeLessThan(patience);

  // The approver sees what recipients would, not only the source.
  const approvers = await browser.newContext();
  const approver = await approvers.newPage();
  await signIn(approver, "reviewer");
  await approver.goto(smsPromotion);
  await expect(approver.getByRole("region", { name: "Message" }).getByText(/Bonjour Ada/)).toBeVisible();
  await approver.goto(mailPromotion);
  await expect(
    approver.frameLocator('iframe[title="Rendered e-mail"]').getByText("Button text"),
  ).toBeVisible();
  await expect(approver.getByRole("region", { name: "Source" })).toContainText("mj-button");
  await expectAccessible(approver, { without: "iframe" });
  await authors.close();
  await approvers.close();
});

test("an approver sees a mail before and after side by side, with what changed marked", async ({
  page,
  browser,
  request,
}) => {
  test.setTimeout(120_000);
  const { body } = await api<{ data: { id: string; language: string | null; body: string }[] }>(
    request,
    "GET",
    "/v1/templates?name=order-status&channel=email",
  );
  const template = body.data.find(({ language }) => language === "en");
  const { body: before } = await api<{
    body: string;
    subject: string;
    variables: unknown[];
    metadata: unknown;
  }>(request, "GET", `/v1/templates/${template?.id ?? ""}`);
  const mark = `Changed${String(Date.now())}`;
  const changed = await api(request, "PUT", `/v1/templates/${template?.id ?? ""}`, {
    subject: before.subject,
    body: before.body.replace("</h1>", ` ${mark}</h1>`),
    metadata: before.metadata,
    variables: before.variables,
  });
  expect(changed.status).toBe(200);
  await signIn(page);
  const promotion = await requestPromotion(page, "order-status");
  const approvers = await browser.newContext();
  const approver = await approvers.newPage();
  await signIn(approver, "reviewer");
  await approver.goto(promotion);
  const frames = approver.getByRole("region", { name: "Message" }).locator('iframe[title="Rendered e-mail"]');
  await expect(frames).toHaveCount(2);
  await expect(frames.nth(0).contentFrame().getByText(mark)).toHaveCount(0);
  await expect(frames.nth(1).contentFrame().locator("ins")).toContainText(mark);
  await approver.getByRole("button", { name: /^Reject/ }).click();
  const dialog = approver.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Only a test");
  // The requester is faster: the dialog says so, and stays until that was read.
  await page.goto(promotion);
  await page.getByRole("button", { name: /^Withdraw/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByRole("region", { name: "History" })).toContainText("Withdrawn by");
  await dialog.getByRole("button", { name: /^Reject/ }).click();
  await expect(dialog.getByRole("alert")).toContainText("The promotion was withdrawn already.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(approver.getByRole("region", { name: "History" })).toContainText("Withdrawn by");
  await approvers.close();
});

test("pasted MJML is recognised, switched with one click, and cannot be saved as HTML", async ({ page }) => {
  await signIn(page);
  await page.goto("/acme/templates/new");
  await expect(page.getByRole("region", { name: "Starters" })).toBeVisible();
  await pasteBody(
    page,
    "<mjml><mj-body><mj-section><mj-column><mj-text>Recognised</mj-text></mj-column></mj-section></mj-body></mjml>",
  );
  await page.getByLabel("Subject").fill("Hello");
  await expect(preview(page)).toHaveText("1 problem");
  await expect(page.getByText(/looks like MJML/)).toBeVisible();
  await page.getByRole("button", { name: "Use MJML" }).first().click();
  await expect(page.getByText(/looks like MJML/)).toHaveCount(0);
  await expect(preview(page)).toHaveText("Up to date");
  await expect(page.frameLocator('iframe[title="Rendered e-mail"]').getByText("Recognised")).toBeVisible();
});

test("a type that is missing is created while a template is written; who may not create one reads whom to ask", async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const own = String(Date.now()).slice(-7);
  const authors = await browser.newContext();
  const author = await authors.newPage();
  await newMember(page, author, `asks-${own}@acme.example`, "Template author");
  await author.goto("/acme/templates/new");
  await author.getByRole("combobox", { name: "Notification type" }).click();
  await expect(author.getByText(/can create types\.$/)).toContainText("Demo Owner");
  await expect(author.getByRole("option", { name: /Create/ })).toHaveCount(0);
  await authors.close();

  await page.goto("/acme/templates/new");
  const field = page.getByRole("combobox", { name: "Notification type" });
  await field.click();
  await page.getByRole("textbox", { name: "Search types" }).fill(`refund_${own}/paid`);
  await expectAccessible(page, { without: "iframe" });
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create type" }).click();
  await expect(field).toHaveText(`refund_${own} / paid`);
  await field.click();
  await page.getByRole("textbox", { name: "Search types" }).fill(`refund_${own}/late`);
  await page.getByRole("option", { name: `Create subtype of refund_${own}…` }).click();
  await dialog.getByRole("button", { name: "Create subtype" }).click();
  await expect(field).toHaveText(`refund_${own} / late`);
});

test("a new variant keeps the channel of the one it is made from, whatever was begun before", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/acme/templates/new");
  await page.getByLabel("Subject").fill("Begun, and not finished");
  await page.goto("/acme/templates/by-name/webshop/order-status");
  await page.getByRole("button", { name: "New variant" }).click();
  await page.getByRole("menuitem", { name: "SMS" }).click();
  await expect(page.getByRole("radio", { name: "SMS" })).toBeChecked();
  await expect(page.getByText(/Starts from order-status/)).toBeVisible();
  await expect(page.getByLabel("Subject")).toHaveCount(0);
});

test("a mail can be read and written in a window that is zoomed to 200 %", async ({ page }) => {
  await signIn(page);
  // 1440 × 900 at 200 %.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.goto("/acme/templates/new");
  await page.getByRole("tab", { name: "Text" }).click();
  await page.getByRole("button", { name: /^Plain/ }).click();
  const editor = page.getByRole("textbox", { name: /^body/i });
  await editor.scrollIntoViewIfNeeded();
  await editor.focus();
  await page.keyboard.type("<!-- zoomed -->");
  const box = await page.locator(".monaco-editor").first().boundingBox();
  expect(box?.height).toBeLessThanOrEqual(450);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
  await page.getByRole("tab", { name: "Preview" }).click();
  const frame = page.locator('iframe[title="Rendered e-mail"]');
  await expect(frame.contentFrame().getByText("Write your text here.")).toBeVisible();
  // What is drawn is as wide as its room, and neither cut off nor too small to read.
  const drawn = await frame.boundingBox();
  const room = await page.locator(".mail-room").boundingBox();
  expect(Math.abs((drawn?.width ?? 0) - (room?.width ?? 1))).toBeLessThan(2);
  const scale = await frame.evaluate(
    (element) => element.getBoundingClientRect().width / (element as HTMLElement).offsetWidth,
  );
  expect(scale).toBeGreaterThan(0.7);
});

test("every starter is dark in a dark mail program", async ({ page }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ colorScheme: "dark" });
  await signIn(page);
  for (const starter of ["Plain", "Receipt or order update", "One-time code", "Newsletter"]) {
    await page.goto("/acme/templates/new");
    await page.getByRole("button", { name: new RegExp(`^${starter}`) }).click();
    const mail = page.locator('iframe[title="Rendered e-mail"]').contentFrame();
    await expect(mail.getByRole("article")).toHaveCSS("background-color", "rgb(22, 22, 20)");
    await expect(mail.locator(".card").first()).toHaveCSS("background-color", "rgb(36, 36, 34)");
    await expect(mail.locator(".words div").first()).toHaveCSS("color", "rgb(242, 242, 238)");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  }
});
