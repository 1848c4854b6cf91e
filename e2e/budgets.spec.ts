import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { quickstart, send, signIn } from "./quickstart.ts";

const root = path.resolve(import.meta.dirname, "..");

/** The operator's command: what each e-mail costs, such as "1.25 EUR" or "none". */
const fees = (email: string) =>
  promisify(execFile)(process.execPath, ["scripts/fees.ts", "acme", ...`email=${email}`.split(" ")], {
    cwd: root,
    env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR },
  });

test("a budget is set, tells at its threshold by bell and mail, and the month's statement prints its sums", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const name = `Campaigns ${String(Date.now())}`;
  await signIn(page);
  await page.goto("/acme/costs");
  await page.getByRole("link", { name: "Budgets" }).click();
  await expect(page.getByText("Budgets never stop messages")).toBeVisible();
  await page.getByRole("button", { name: "Add budget" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Amount per month").fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("More than nothing")).toBeVisible();
  // May be 1200 or 1.2.
  await dialog.getByLabel("Amount per month").fill("1,200");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Amount per month")).toHaveAccessibleDescription(/Write 1200 or 1\.200/);
  await dialog.getByLabel("Amount per month").fill("2");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Budget saved")).toBeVisible();
  await expectAccessible(page);

  await fees("1.25 EUR");
  try {
    // What an organisation is charged is known to all processes within a second or two.
    await page.waitForTimeout(3_000);
    const sent = await send(request, {
      recipients: [{ channel: "email", recipient: "budget@example.com" }],
    });
    expect(sent.status).toBe(202);
    const { mailbox } = quickstart();
    const mailed = async () => {
      const mails = (await (await fetch(mailbox)).json()) as { subject?: string }[];
      return mails.some(({ subject }) => subject?.includes(name) && subject.includes("50%"));
    };
    await expect.poll(mailed, { timeout: 120_000, intervals: [2_000] }).toBe(true);
  } finally {
    await fees("none");
  }
  await page.reload();
  await expect(page.getByRole("listitem").filter({ hasText: name })).toContainText("50% reached on");
  await page
    .getByRole("button", { name: /^Notices/ })
    .first()
    .click();
  await expect(page.getByText(`The budget “${name}” has reached 50%`).first()).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/acme/costs");
  await page.getByRole("link", { name: "Statement" }).click();
  await expect(page.getByRole("heading", { name: "Totals by currency" })).toBeVisible();
  await expectAccessible(page);
  const euro = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "EUR" }) });
  const total = (await euro.getByRole("cell").nth(5).textContent()) ?? "";
  expect(Number(total.replaceAll(",", ""))).toBeGreaterThanOrEqual(1.25);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^statement-\d{4}-\d{2}\.csv$/);
  const ink = () => euro.first().evaluate((row) => getComputedStyle(row).color);
  const onWhite = await ink();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(ink).not.toBe(onWhite);
  await page.emulateMedia({ media: "print" });
  await expect.poll(ink).toBe(onWhite);
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("navigation").first()).toBeHidden();
  await expect(euro).toBeVisible();
  const pdf = await page.pdf({ path: "test-results/statement.pdf", preferCSSPageSize: true });
  // One page, without an empty one after it; A4 in points.
  expect(pdf.toString("latin1").match(/\/MediaBox/g)).toHaveLength(1);
  expect(pdf.toString("latin1")).toMatch(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
});
