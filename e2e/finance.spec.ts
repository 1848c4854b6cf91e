import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { Decimal } from "decimal.js";
import { expectAccessible } from "./accessible.ts";
import { lastMonth, ledgerOfLastMonth, loyalty, sentLastMonth } from "./last-month.ts";
import { newMember } from "./people.ts";

const euros = (amount: number) =>
  new Intl.NumberFormat("en-US", { style: "currency", currency: "EUR" }).format(amount);
/** What a page's first group is called and comes to. */
const first = (page: Page) =>
  page.getByRole("region", { name: "Costs by group" }).getByRole("rowgroup").nth(1).getByRole("row").first();

async function lookBy(page: Page, dimension: string): Promise<void> {
  await page.getByRole("combobox", { name: "By", exact: true }).click();
  await page.getByRole("option", { name: dimension, exact: true }).click();
  await expect(
    page.getByRole("heading", { name: `By ${dimension.toLowerCase()}`, exact: true }),
  ).toBeVisible();
}

test("finance finds last month's most expensive application, country and template, and downloads the statement", async ({
  page,
  browser,
}) => {
  // The largest country is not that of the largest application's largest template.
  await sentLastMonth([
    { application: "webshop", country: "FR", language: "en", count: 60, price: "0.051000" },
    { application: "webshop", country: "FR", language: "de", count: 20, price: "0.040000" },
    { application: "webshop", country: "DE", language: "en", count: 30, price: "0.031700" },
    { application: "loyalty", country: "US", language: "en", count: 80, price: "0.045000" },
  ]);
  const { name: month } = lastMonth();
  const context = await browser.newContext({ locale: "en-US" });
  const finance = await context.newPage();
  await newMember(page, finance, "mia.finance@acme.example");

  // From where somebody lands who may see costs and reports only.
  await finance.getByRole("link", { name: "Costs", exact: true }).click();
  await finance.getByRole("combobox", { name: "Period" }).click();
  await finance
    .getByRole("option", {
      name: new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" }).format(
        lastMonth().from,
      ),
    })
    .click();
  await expect(finance).toHaveURL(new RegExp(`period=${month}`));
  await expect(first(finance)).toContainText("Webshop", { timeout: 30_000 });
  await expect(first(finance)).toContainText(euros(3.06 + 0.8 + 0.951), { timeout: 30_000 });
  await expect(finance.getByRole("row").filter({ hasText: loyalty })).toContainText(euros(3.6));
  await expectAccessible(finance);

  await first(finance).getByRole("button", { name: "Webshop" }).click();
  await lookBy(finance, "Country");
  await expect(first(finance)).toContainText("France (FR)");
  await expect(first(finance)).toContainText(euros(3.86));
  await first(finance).getByRole("button", { name: "France (FR)" }).click();
  await lookBy(finance, "Template");
  await expect(first(finance)).toContainText(/promotion \(email.*en\)/);
  await expect(first(finance)).toContainText(euros(3.06));

  // The figure leads to its charges, as many and as much; recipients are nobody's business here.
  await first(finance).getByRole("link", { name: "Charges of promotion" }).click();
  await expect(finance.getByRole("heading", { level: 1, name: "Charges" })).toBeVisible();
  await expect(finance.getByText("€3.06 in all: 60 charged attempts")).toBeVisible();
  await expect(finance.getByRole("table", { name: "Charges" }).getByRole("row")).toHaveCount(51);
  await finance.getByRole("button", { name: "Older" }).click();
  await expect(finance.getByRole("table", { name: "Charges" }).getByRole("row")).toHaveCount(11);
  await expect(finance.getByText("@gmail.com")).toHaveCount(0);
  await expectAccessible(finance);

  await finance.goto(`/acme/costs?env=production&period=${month}`);
  await finance.getByRole("link", { name: "Statement" }).click();
  await expect(finance).toHaveURL(new RegExp(`/costs/statement/${month}`));
  const [download] = await Promise.all([
    finance.waitForEvent("download"),
    finance.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`statement-${month}.csv`);
  const text = readFileSync(await download.path(), "utf8").replace(/^\uFEFF/, "");
  const lines: Record<string, string>[] = parse(text, { columns: true });
  expect(lines).toContainEqual(
    expect.objectContaining({ application: "Webshop", country: "FR", currency: "EUR", total: "3.860000" }),
  );
  expect(Decimal.sum(...lines.map(({ total }) => total ?? "0")).toFixed(6)).toBe(await ledgerOfLastMonth());
  await context.close();
});
