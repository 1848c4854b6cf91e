import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@playwright/test";
import type { APIRequestContext, Page } from "@playwright/test";
import { startFakeTwilio } from "../server/testing/fake-twilio.ts";
import type { FakeTwilio } from "../server/testing/fake-twilio.ts";
import { api, quickstart, send, signIn } from "./quickstart.ts";

const account = { accountSid: `AC${"e2".repeat(16)}`, authToken: "the-right-token" };
const everythingElse = "Everything else to the simulator, until a provider is connected";

/** An SMS that only this test sends; returns its id. */
async function sendSms(
  request: APIRequestContext,
  changes: Record<string, unknown> = {},
  key: "live" | "sandbox" = "live",
): Promise<string> {
  const recipients = [{ channel: "sms", recipient: "+4915112345678" }];
  const sent = await send(request, { recipients, ...changes }, key);
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  return sent.body.notifications[0]?.notificationId ?? "";
}

interface Message {
  status: string;
  provider: string | null;
}

/** An SMS that was handed to a provider: which one took it. */
async function carried(request: APIRequestContext): Promise<{ id: string; provider: string | null }> {
  const id = await sendSms(request);
  let message: Message | undefined;
  await expect
    .poll(async () => {
      message = (await api<Message>(request, "GET", `/v1/notifications/${id}`)).body;
      return message.status;
    })
    .toMatch(/^(sent|delivered)$/);
  return { id, provider: message?.provider ?? null };
}

/** Sends until a connection is used: a change of the rules takes effect everywhere within two seconds. */
async function untilCarriedBy(request: APIRequestContext, connection: string): Promise<string> {
  let last = { id: "", provider: "" as string | null };
  await expect
    .poll(async () => (last = await carried(request)).provider, { message: `carried by ${connection}` })
    .toBe(connection);
  return last.id;
}

interface RuleSet {
  revision: number;
  data: { name: string; tiers: { name: string }[][] }[];
}

const rulesOf = async (request: APIRequestContext) =>
  (await api<RuleSet>(request, "GET", "/v1/routing-rules")).body;

const whereTo = ({ name, tiers }: RuleSet["data"][number]) => ({ name, tiers });

/** Undoes changes of the rules by an interrupted run; after a complete run there are none. */
async function putRulesBack(request: APIRequestContext, before: RuleSet): Promise<void> {
  if (isDeepStrictEqual((await rulesOf(request)).data.map(whereTo), before.data.map(whereTo))) return;
  await api(request, "POST", `/v1/routing-rules/revisions/${String(before.revision)}/revert`, {});
}

async function openRules(page: Page, tab = ""): Promise<void> {
  await page.goto(`/acme/routing?env=production${tab === "" ? "" : `&tab=${tab}`}`);
}

/** Adds a connection to Twilio through the portal, after a wrong token was reported as the problem. */
async function addConnection(page: Page, name: string, baseUrl: string): Promise<void> {
  await page.goto("/acme/providers");
  await page.getByRole("link", { name: "Add connection" }).click();
  await page.getByRole("button", { name: /^Twilio/ }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Account SID").fill(account.accountSid);
  await page.getByLabel("Auth token").fill("a-wrong-token");
  await page.getByLabel("Base URL").fill(baseUrl);
  await page.getByRole("combobox", { name: "Region", exact: true }).click();
  await page.getByRole("option", { name: "ie1" }).click();

  await page.getByRole("button", { name: "Test before saving" }).click();
  await expect(page.getByText("Twilio does not accept this account SID and auth token")).toBeVisible();
  await page.getByLabel("Auth token").fill(account.authToken);
  await page.getByRole("button", { name: "Test before saving" }).click();
  await expect(page.getByText("Address and credentials are accepted.")).toBeVisible();

  await page.getByRole("button", { name: "Add a sender" }).click();
  await page.getByRole("textbox", { name: "Sender of sender 1" }).fill("ACMEe2e");
  await page.getByRole("button", { name: "Add connection" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText("No routing rule uses this connection yet.")).toBeVisible();
}

/** Puts the connection before the simulator in the rule for everything but e-mail, as the dry run predicts. */
async function putFirst(page: Page, name: string): Promise<void> {
  await openRules(page);
  await page.getByRole("link", { name: everythingElse }).click();
  await page.getByRole("button", { name: "Add fallback tier" }).click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("button", { name: "Move tier 2 up" }).click();
  const dryRun = page.getByRole("region", { name: "Test routing" });
  await expect(dryRun.getByRole("listitem").filter({ hasText: "tier 1 · 100%" })).toContainText(name);
  await expect(dryRun.getByRole("listitem").filter({ hasText: "tier 2 · 100%" })).toContainText("Simulator");
  await page.getByLabel("Note for the history").fill("Twilio goes first");
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByRole("group", { name: "Unsaved changes" })).toHaveCount(0);
}

const card = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** The connection's line under "Now" on the Health page. */
const stateOf = (page: Page, name: string) =>
  card(page, "Now").getByRole("listitem").filter({ hasText: name });

test("a provider is connected, fails, is bypassed, recovers by itself and is deleted again", async ({
  page,
  request,
}) => {
  test.setTimeout(240_000);
  const name = `Twilio ${String(Date.now())}`;
  const fakes: FakeTwilio[] = [];
  const startFake = async (port?: number) => {
    const fake = await startFakeTwilio({ account, port, callbacks: ["sent", "delivered"] });
    fakes.push(fake);
    return fake;
  };
  const first = await startFake();
  const before = await rulesOf(request);
  try {
    await signIn(page);
    await addConnection(page, name, first.baseUrl);
    const connectionPage = new URL(page.url()).pathname;
    await putFirst(page, name);

    // The message is at the provider, and its page shows connection and reason.
    const good = await untilCarriedBy(request, name);
    expect(first.messages.at(-1)).toMatchObject({ to: "+4915112345678", from: "ACMEe2e" });
    await page.goto(`/acme/messages/${good}`);
    await expect(page.getByText(`Attempt 1 through ${name}: accepted by the provider`)).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Delivered" }).first()).toBeVisible();
    const why = card(page, "Routing decision");
    await expect(why.getByRole("listitem").filter({ hasText: "chosen" })).toContainText(name);
    await expect(why.getByRole("link", { name: everythingElse })).toBeVisible();
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

    // The provider is down: messages are delivered all the same.
    await first.close();
    fakes.length = 0;
    const around = await carried(request);
    expect(around.provider).toBe("Simulator");
    await page.goto(`/acme/messages/${around.id}`);
    const failed = page.getByRole("listitem").filter({ hasText: `Attempt 1 through ${name}: not sent` });
    await expect(failed).toContainText("provider_unavailable");
    await expect(page.getByText("Attempt 2 through Simulator: simulated")).toBeVisible();

    await page.goto("/acme/health");
    await Promise.all(Array.from({ length: 4 }, () => sendSms(request)));
    await expect(stateOf(page, name)).toContainText("Unavailable");
    await expect(stateOf(page, name)).toContainText("refuses the connection");
    const incidents = card(page, "Incidents").getByRole("listitem");
    await expect(incidents.filter({ hasText: `${name} became unavailable` })).toBeVisible();
    await page.getByRole("button", { name: /^Notices/ }).click();
    await expect(page.getByRole("link", { name: `${name} is unavailable` })).toBeVisible();
    await page.keyboard.press("Escape");

    // It is back, and found without anybody's help.
    const second = await startFake(Number(new URL(first.baseUrl).port));
    await expect(stateOf(page, name)).toContainText("Operational", { timeout: 120_000 });
    await expect(incidents.filter({ hasText: `${name} recovered` })).toBeVisible();
    await untilCarriedBy(request, name);
    expect(second.messages.length).toBeGreaterThan(0);

    // Deleting it names what it carries, and can be canceled.
    await page.goto(connectionPage);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const confirm = page.getByRole("alertdialog");
    await expect(confirm).toContainText(`${everythingElse} in Production`);
    await expect(confirm.getByRole("button", { name: "Delete connection" })).toBeDisabled();
    await confirm.getByRole("button", { name: "Keep it" }).click();

    // One click restores the previous rules.
    await openRules(page, "history");
    await expect(page.getByRole("listitem").filter({ hasText: "Twilio goes first" }).first()).toContainText(
      "Current",
    );
    await page.getByRole("button", { name: "Revert to this" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Revert" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await untilCarriedBy(request, "Simulator");

    await page.goto(connectionPage);
    await expect(page.getByText("No routing rule uses this connection yet.")).toBeVisible();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await confirm.getByRole("textbox").fill(name);
    await confirm.getByRole("button", { name: "Delete connection" }).click();
    await expect(page).toHaveURL(/\/acme\/providers(\?|$)/);
    await expect(page.getByRole("row").filter({ hasText: "Quickstart mailbox" })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(0);
    expect((await rulesOf(request)).data.map(whereTo)).toEqual(before.data.map(whereTo));
  } finally {
    await putRulesBack(request, before);
    await Promise.all(fakes.map((fake) => fake.close()));
  }
});

test("an answer given in the sandbox inbox is shown in the conversation, without any webhook", async ({
  page,
  request,
}) => {
  const recipient = `+49151${String(Date.now()).slice(-8)}`;
  const id = await sendSms(request, { recipients: [{ channel: "sms", recipient }] }, "sandbox");
  await signIn(page);
  await page.goto("/acme/sandbox");
  await page
    .getByRole("navigation", { name: "Messages in the sandbox" })
    .getByRole("button")
    .filter({ hasText: recipient })
    .click();
  await expect(page).toHaveURL(new RegExp(id));
  const answer = `When will it be here? ${recipient}`;
  await page.getByRole("textbox", { name: "Reply from the recipient" }).fill(answer);
  await page.getByRole("button", { name: "Answer", exact: true }).click();

  await page.getByRole("link", { name: "Conversation with this recipient" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Conversations" })).toBeVisible();
  await page
    .getByRole("navigation", { name: "Conversations" })
    .getByRole("button")
    .filter({ hasText: answer })
    .click();
  const said = page.getByRole("log").getByRole("listitem");
  await expect(said.filter({ hasText: answer })).toBeVisible();
  await expect(said.filter({ hasText: "your order A-1042 is" })).toBeVisible();
});

test("a short link in a text leads to its address, and the message counts the click", async ({
  page,
  request,
}) => {
  // A language of its own, so that no other message uses this text.
  const created = await api<{ id: string }>(
    request,
    "POST",
    "/v1/templates",
    {
      application: "webshop",
      name: `short-link-${String(Date.now())}`,
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      language: "fr",
      body: "Votre commande {{ orderNumber }} : {{ trackingUrl | shorten }}",
      variables: [
        { name: "orderNumber", type: "string", required: true, example: "A-1042", maxLength: 40 },
        {
          name: "trackingUrl",
          type: "url",
          required: true,
          example: "https://shop.example/a",
          maxLength: 500,
        },
      ],
    },
    "sandbox",
  );
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  try {
    const target = `${quickstart().baseUrl}/sign-in`;
    const id = await sendSms(
      request,
      { language: "fr", templateVariables: [{ orderNumber: "A-1042" }, { trackingUrl: target }] },
      "sandbox",
    );
    await signIn(page);
    await page.goto(`/acme/messages/${id}`);
    const details = card(page, "Details");
    await expect(details).toContainText("Opened by nobody yet");
    const short = (await details.getByText(/\/l\/\w+$/).textContent()) ?? "";
    await expect(page.getByText(`Votre commande A-1042 : ${short}`)).toBeVisible();

    await page.goto(short);
    await expect(page).toHaveURL(new RegExp("/sign-in|/acme/overview"));
    await page.goto(`/acme/messages/${id}`);
    await expect(details).toContainText("1 click");
    await expect(page.getByRole("listitem").filter({ hasText: "Link clicked" })).toContainText(target);
  } finally {
    const archived = await api(request, "DELETE", `/v1/templates/${created.body.id}`, undefined, "sandbox");
    expect(archived.status).toBeLessThan(300);
  }
});
