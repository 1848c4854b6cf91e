import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { api, send, signIn } from "./quickstart.ts";

// Journeys of several pages each, on a machine that may have much else to do.
test.describe.configure({ timeout: 180_000 });

/** A number of Germany's that nobody else uses, with these last four digits. */
const numberOf = (end: string) => `+49151${String(Date.now()).slice(-4)}${end}`;
const rowOf = (page: Page, to: string) =>
  page.getByRole("link", { name: new RegExp(`^Open message to \\${to},`) });

/** Sends to each of these numbers in the sandbox, and returns the ids of the messages. */
async function sendSandbox(
  request: Parameters<typeof send>[0],
  numbers: readonly string[],
  changes: Record<string, unknown> = {},
): Promise<string[]> {
  const recipients = numbers.map((recipient) => ({ channel: "sms", recipient }));
  const { status, body } = await send(request, { recipients, ...changes }, "sandbox");
  expect(status).toBe(202);
  return body.notifications.map(({ notificationId }) => notificationId);
}

test("support finds a failed message from each of six forms of a number in under 15 s and reads why it failed", async ({
  page,
  request,
}) => {
  // Refused at once: the number does not exist.
  const number = numberOf("0001");
  const [id = ""] = await sendSandbox(request, [number]);
  await expect
    .poll(
      async () =>
        (await api<{ status: string }>(request, "GET", `/v1/notifications/${id}`, undefined, "sandbox")).body
          .status,
    )
    .toBe("failed");
  await signIn(page);
  await page.goto("/acme/messages?env=sandbox");
  const national = number.slice(3);
  const forms = [
    number,
    number.slice(1),
    `0049 ${national.slice(0, 3)} ${national.slice(3)}`,
    `+49 (0)${national.slice(0, 3)} ${national.slice(3, 7)}-${national.slice(7)}`,
    `0${national.slice(0, 3)}/${national.slice(3)}`,
    national.slice(3),
  ];
  const search = page.getByRole("searchbox", { name: /search messages/i });
  // The clock runs from when the page is there to when the reason is read.
  await expect(rowOf(page, number)).toBeVisible();
  await search.click();
  const times: number[] = [];
  for (const form of forms) {
    const began = Date.now();
    await search.fill(form);
    await expect(page).toHaveURL((url) => url.searchParams.get("q") === form);
    await rowOf(page, number).click();
    const panel = page.getByRole("dialog");
    await expect(panel.getByText("invalid_recipient").first()).toBeVisible();
    await expect(panel.getByText("Failed · simulated").first()).toBeVisible();
    times.push(Date.now() - began);
    await page.getByRole("button", { name: "Close panel" }).click();
    await expect(panel).toHaveCount(0);
  }
  test.info().annotations.push({
    type: "measured",
    description: `a failed message by six forms of its number: ${times.map((ms) => `${String(ms)} ms`).join(", ")}`,
  });
  expect(Math.max(...times)).toBeLessThan(15_000);
  await expectAccessible(page);
});

test("several messages are canceled at once, each result is told, and those that are canceled can be sent again once", async ({
  page,
  request,
}) => {
  const numbers = ["1101", "1102", "1103"].map(numberOf);
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const ids = await sendSandbox(request, numbers, { scheduledAt });
  await signIn(page);
  const { body } = await api<{ requestId: string }>(
    request,
    "GET",
    `/v1/notifications/${ids[0] ?? ""}`,
    undefined,
    "sandbox",
  );
  await page.goto(`/acme/messages?env=sandbox&q=${body.requestId}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("toolbar", { name: "Selected messages" });
  await expect(bar.getByText("3 selected")).toBeVisible();
  await expectAccessible(page);
  // Somebody else is faster with one of them.
  expect(
    (await api(request, "POST", `/v1/notifications/${ids[1] ?? ""}/cancel`, undefined, "sandbox")).status,
  ).toBe(200);
  await bar.getByRole("button", { name: "Cancel 3" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel 3 messages" }).click();
  await expect(page.getByText("2 messages canceled, 1 could no longer be canceled.")).toBeVisible();
  await expect(page.getByText("Already on its way or done")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Canceled" })).toHaveCount(3);

  await page.getByRole("button", { name: "Dismiss" }).click();
  for (const expected of [
    "3 messages sent again.",
    "0 messages sent again, 3 had been sent again already.",
  ]) {
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await bar.getByRole("button", { name: "Send again 3" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send 3 messages" }).click();
    await expect(page.getByText(expected)).toBeVisible();
  }

  // A file of what is ticked, and of nothing else.
  await page.getByRole("checkbox", { name: new RegExp(`^Select message to \\${numbers[0] ?? ""}`) }).check();
  await bar.getByRole("button", { name: "Export 1" }).click();
  await expect(page).toHaveURL(/\/acme\/exports/);
  const line = page.getByRole("list", { name: "Exports" }).getByRole("listitem").first();
  await expect(line).toContainText("1 selected message");
  await expect(line.getByText("Ready")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    line.getByRole("link", { name: "Download" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  expect(text.trim().split("\n")).toHaveLength(2);
  expect(text).toContain(ids[0]);
});

test("a page of older messages stays the same over a reload and the way back, and leads back to the newer ones", async ({
  page,
  request,
}) => {
  const numbers = Array.from({ length: 70 }, (_, index) => numberOf(String(2000 + index)));
  const [id = ""] = await sendSandbox(request, numbers);
  const { body } = await api<{ requestId: string }>(
    request,
    "GET",
    `/v1/notifications/${id}`,
    undefined,
    "sandbox",
  );
  await signIn(page);
  await page.goto(`/acme/messages?env=sandbox&q=${body.requestId}`);
  const rows = page.getByRole("link", { name: /^Open message to/ });
  await expect(rows).toHaveCount(50);
  // They do not wait for their number.
  await expect(page.getByText("70 messages", { exact: true })).toBeVisible({ timeout: 60_000 });
  const first = await rows.first().textContent();
  await page.getByRole("button", { name: "Older" }).click();
  await expect(rows).toHaveCount(20);
  const older = await rows.first().textContent();
  const to = /to (\S+),/.exec(older ?? "")?.[1] ?? "";

  await page.reload();
  await expect(rowOf(page, to)).toBeVisible();
  await expect(rows).toHaveCount(20);
  const newer = page.getByRole("button", { name: "Newer" });
  await expect(newer).toBeEnabled();
  // To a message's page and back: the same page, as far down as it was.
  await rows.last().scrollIntoViewIfNeeded();
  await page.goto((await rows.last().getAttribute("href")) ?? "");
  await expect(page.getByRole("heading", { name: "Routing decision" })).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(20);
  await expect(rowOf(page, to)).toHaveCount(1);
  await newer.click();
  await expect(rows).toHaveCount(50);
  expect((await rows.first().textContent())?.split(",")[0]).toBe(first?.split(",")[0]);

  await page.getByRole("columnheader", { name: "Accepted" }).getByRole("button").click();
  await expect(page).toHaveURL(/sort=oldest/);
  await expect(page.getByRole("columnheader", { name: "Accepted" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
});

test("a row is a link: it opens in another tab, with the keyboard, and before the page runs", async ({
  page,
  request,
}) => {
  const number = numberOf("1201");
  const [id = ""] = await sendSandbox(request, [number]);
  await signIn(page);
  const address = `/acme/messages?env=sandbox&q=${id}`;
  await page.goto(address);
  const row = rowOf(page, number);
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    row.click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await expect(tab).toHaveURL(new RegExp(`/acme/messages/${id}`));
  await tab.close();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // Elsewhere in the row the middle button does the same.
  const [other] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("row").filter({ has: row }).getByRole("cell").last().click({ button: "middle" }),
  ]);
  await expect(other).toHaveURL(new RegExp(`/acme/messages/${id}`));
  await other.close();
  await row.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();

  // Whoever is faster than the page's own code gets there all the same.
  const early = await page.context().newPage();
  await early.route("**/_next/static/**/*.js", (route) => route.abort());
  await early.goto(address);
  await rowOf(early, number).click();
  await expect(early).toHaveURL(new RegExp(`/acme/messages/${id}`));
});

test("filters of Messages are kept as a view, and the view brings them back", async ({ page }) => {
  const name = `Failures ${String(Date.now()).slice(-5)}`;
  const filters = `status=failed&range=30d&code=${name.replace(" ", "_")}`;
  await signIn(page);
  await page.goto(`/acme/messages?env=sandbox&${filters}`);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: /save/i }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill(name);
  await dialog.getByRole("button", { name: /save/i }).click();
  await expect(page.getByRole("button", { name: `Views: ${name}` })).toBeVisible();
  await page.goto("/acme/messages?env=sandbox");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name }).click();
  for (const filter of filters.split("&")) await expect(page).toHaveURL(new RegExp(filter));
});
