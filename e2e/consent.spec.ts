import { expect, test, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { api, quickstart, send, signIn } from "./quickstart.ts";

async function choose(page: Page, field: string | RegExp, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("an address is looked up, opted out by hand, written to no more, and opted in again", async ({
  page,
  request,
}) => {
  const address = `+49151${String(Date.now()).slice(-8)}`;
  const write = async () => {
    const { body } = await send(request, { recipients: [{ channel: "sms", recipient: address }] });
    const id = body.notifications[0]?.notificationId ?? "";
    const { body: message } = await api<{ status: string; reason: { code: string } | null }>(
      request,
      "GET",
      `/v1/notifications/${id}`,
    );
    return { id, ...message };
  };
  await signIn(page);
  await page.goto("/acme/consent");
  await page.getByLabel(/^E-mail address, number/).fill("+49 151");
  await page.getByRole("button", { name: "Look up", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Not a valid address" })).toBeVisible();
  await page.getByLabel(/^E-mail address, number/).fill(address);
  await page.getByRole("button", { name: "Look up", exact: true }).click();
  await expect(page).toHaveURL(/address=/);
  await expect(page.getByRole("heading", { name: "No consent recorded" })).toBeVisible();
  const transactional = page
    .getByTestId("standing")
    .getByRole("row", { name: /^Transactional/ })
    .getByRole("cell")
    .first();
  await expect(transactional).toContainText("No record; sent until an opt-out");
  await expect(transactional).toContainText(/^Sent/);
  expect((await write()).status).not.toBe("rejected");

  const record = async (said: string, reason: string) => {
    await page.getByRole("button", { name: "Record consent" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Address")).toHaveValue(address);
    await expect(dialog.getByRole("button", { name: /^Record opt/ })).toBeDisabled();
    await choose(page, "Opt-in or opt-out", said);
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name: /^Record opt/ }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("list", { name: "History" })).toContainText(reason);
  };
  await record("They opt out", "By phone, on Monday");
  await expect(transactional).toContainText("Not sent");
  await expect(page.getByRole("list", { name: "History" })).toContainText("Manually, in the portal");
  await expectAccessible(page);

  const refused = await write();
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "consent_denied" } });
  await page.goto(`/acme/messages/${refused.id}`);
  await page.getByRole("link", { name: "Consent of the recipient" }).click();
  await expect(page).toHaveURL(/\/consent\?.*address=/);
  await record("They opt in", "Signed the form again");
  await expect(transactional).toContainText(/^Sent/);
  expect((await write()).status).not.toBe("rejected");

  // In the list, and found again from there.
  await page.getByRole("button", { name: "Show all" }).click();
  await page
    .getByRole("button", { name: `Look up ${address}` })
    .first()
    .click();
  await expect(page.getByRole("list", { name: "History" }).getByRole("listitem")).toHaveCount(2);

  // The sandbox knows nothing of it.
  await page.goto(`/acme/consent?env=sandbox&address=${encodeURIComponent(address)}`);
  await expect(page.getByRole("heading", { name: "No consent recorded" })).toBeVisible();
});

test("the policy is tried on a recipient before it is saved, warned of, saved and taken back", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/acme/settings/consent");
  await page.getByLabel("Address").fill(`ada-${String(Date.now())}@example.com`);
  await page.getByRole("button", { name: "Try it" }).click();
  const preview = page.getByTestId("preview");
  await expect(preview.getByText("Marketing: not sent")).toBeVisible();
  await choose(page, /^E-mail.*Marketing/, "Until an opt-out");
  await expect(preview.getByText("Marketing: sent")).toBeVisible();
  await expect(preview.getByText("Currently not sent")).toBeVisible();
  await expect(page.getByRole("note")).toContainText("never agreed to it");
  await page.getByRole("button", { name: "Save policy" }).click();
  await expect(page.getByText("Consent policy saved")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("combobox", { name: /^E-mail.*Marketing/ })).toHaveText("Until an opt-out");

  // A region may differ.
  await choose(page, "Region of the recipient", "Germany");
  await choose(page, /^E-mail.*Marketing/, "After an opt-in");
  await expect(page.getByText(/With their own rules/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard" }).click();

  await choose(page, "Region of the recipient", "Every region");
  await choose(page, /^E-mail.*Marketing/, "Default: after an opt-in");
  await page.getByRole("button", { name: "Save policy" }).click();
  await expect(page.getByRole("button", { name: "Save policy" })).toBeHidden();
  await expect(page.getByRole("note")).toBeHidden();
});

test("a STOP is confirmed within a minute, and what may be one waits for a person", async ({
  page,
  request,
}) => {
  const number = `+49152${String(Date.now()).slice(-8)}`;
  const { body } = await send(request, { recipients: [{ channel: "sms", recipient: number }] }, "sandbox");
  const id = body.notifications[0]?.notificationId ?? "";
  const message = async () =>
    (await api<{ status: string }>(request, "GET", `/v1/notifications/${id}`, undefined, "sandbox")).body;
  await expect.poll(async () => (await message()).status, { timeout: 30_000 }).toMatch(/sent|delivered/);
  const reply = (text: string) =>
    api(request, "POST", `/v1/sandbox/messages/${id}/actions`, { action: "reply", text }, "sandbox");

  await signIn(page);
  await reply("How can I stop my order?");
  const waiting = page.getByRole("listitem", { name: `Message from ${number}` });
  // A message is told of after its provider was answered; the page by itself asks again every 30 s.
  const shows = (text: string) =>
    expect(async () => {
      await page.goto("/acme/consent?env=sandbox");
      await expect(waiting).toContainText(text, { timeout: 2_000 });
    }).toPass({ timeout: 20_000 });
  await shows("How can I stop my order?");
  await expectAccessible(page);
  // With the keyboard alone.
  await waiting.getByRole("button", { name: "Not an opt-out" }).focus();
  await page.keyboard.press("Enter");
  await expect(waiting).toBeHidden();
  await reply("can you stop sending me so many");
  await shows("can you stop sending me so many");
  await waiting.getByRole("button", { name: "Opted out of marketing" }).click();
  await expect(waiting).toBeHidden();
  await page.goto(`/acme/consent?env=sandbox&address=${encodeURIComponent(number)}`);
  await expect(page.getByRole("list", { name: "History" })).toContainText("The recipient, in a message");

  const began = Date.now();
  await reply("stop");
  const read = async (path: string) =>
    (await api<{ data: { id: string; direction: string }[] }>(request, "GET", path, undefined, "sandbox"))
      .body.data;
  const answers = async () => {
    const [conversation] = await read(`/v1/conversations?address=${encodeURIComponent(number)}`);
    const said = await read(`/v1/conversations/${conversation?.id ?? ""}/messages`);
    return said.filter((each) => each.direction === "outbound" && each.id !== id).length;
  };
  await expect.poll(answers, { timeout: 60_000 }).toBe(1);
  expect(Date.now() - began).toBeLessThan(60_000);
  await reply("STOP!");
  await page.waitForTimeout(3_000);
  expect(await answers()).toBe(1);
});

test("somebody who signed up is asked by e-mail, agrees by the button and by nothing else, and the ledger says so", async ({
  page,
  request,
}) => {
  const address = `signed-up-${String(Date.now())}@example.com`;
  await signIn(page);
  await page.goto(`/acme/consent?address=${address}`);
  await expect(page.getByRole("heading", { name: "No consent recorded" })).toBeVisible();
  await page.getByRole("button", { name: "Ask for confirmation" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Address")).toHaveValue(address);
  await dialog.getByLabel("How they signed up").fill("Paper form at the counter");
  await dialog.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("list", { name: "Confirmation requested" })).toContainText("Marketing");
  await expectAccessible(page);

  let link = "";
  await expect(async () => {
    const { mailbox } = quickstart();
    const mails = (await (await fetch(mailbox)).json()) as { id: string; to: string[] }[];
    const mail = mails.find(({ to }) => to.includes(address));
    const text = mail ? await (await fetch(`${mailbox}/${mail.id}`)).text() : "";
    link = /\/api\/app\/confirm\/[\w-]+/.exec(text)?.[0] ?? "";
    expect(link).not.toBe("");
  }).toPass();
  expect((await request.get(link)).status()).toBe(200);
  expect((await request.head(link)).status()).toBe(200);
  await page.reload();
  await expect(page.getByRole("list", { name: "Confirmation requested" })).toBeVisible();

  await page.goto(link);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Yes, I agree" }).click();
  await expect(page.getByRole("heading", { name: "Thank you, that's confirmed" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Change or end it at any time" }).click();
  await expect(page.getByLabel("News and offers")).toBeChecked();

  await page.goto(`/acme/consent?address=${address}`);
  const history = page.getByRole("list", { name: "History" });
  await expect(history).toContainText("The recipient, by double opt-in");
  await expect(history).toContainText("Paper form at the counter");
  await expect(page.getByRole("list", { name: "Confirmation requested" })).toBeHidden();
});
