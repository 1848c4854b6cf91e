import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { signIn } from "./quickstart.ts";

async function choose(page: Page, field: string | RegExp, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("a file of consent is uploaded, assigned, checked and imported, and its errors are downloaded", async ({
  page,
}) => {
  const own = String(Date.now()).slice(-8);
  const name = `opt-outs-${own}.csv`;
  const file = [
    "Mail;Said;Proof of it",
    `ada-${own}@example.com;opted_in;Form 7`,
    `bob-${own}@example.com;opted_out;`,
    `eve-${own}@example.com;opted_in;`,
    "nobody;opted_out;",
    "",
  ].join("\r\n");
  await signIn(page);
  await page.goto("/acme/consent");
  await page.getByRole("button", { name: "Import" }).click();
  await page
    .getByRole("dialog")
    .getByLabel("CSV file")
    .setInputFiles({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from(`\uFEFF${file}`),
    });
  await expect(page.getByRole("heading", { name: "Assign columns" })).toBeVisible();
  await expect(page.getByText("UTF-8, separated by semicolon")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Mail becomes" })).toHaveText("Address");
  await expectAccessible(page);

  // What is missing is said, and what was chosen stays.
  await page.getByRole("button", { name: "Check file" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "channel" })).toBeVisible();
  await choose(page, "Said becomes", "Opt-in or opt-out");
  await choose(page, "Proof of it becomes", "Evidence");
  await choose(page, "Channel of every row", "E-mail");
  await page.getByRole("button", { name: "Check file" }).click();

  await expect(page.getByRole("heading", { name: "Preview" })).toBeVisible();
  const errors = page.getByRole("table", { name: "Errors by row and column" });
  await expect(errors.getByRole("row", { name: /^4 Proof of it An opt-in needs evidence/ })).toBeVisible();
  await expect(errors.getByRole("row", { name: /^5 Mail This is no e-mail address/ })).toBeVisible();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`opt-outs-${own}-errors.csv`);
  const text = readFileSync(await download.path(), "utf8");
  expect(text.split("\n").filter(Boolean)).toHaveLength(3);
  expect(text).toContain("4,Proof of it,evidence_missing,");

  // A reload changes nothing.
  await page.reload();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Result" })).toBeVisible();
  await expect(page.getByText("Completed")).toBeVisible();
  await page.getByRole("link", { name: "Imports" }).first().click();
  await expect(page.getByRole("link", { name: new RegExp(name) })).toContainText("2 rows with errors");

  await page.goto(`/acme/consent?address=bob-${own}@example.com`);
  await expect(page.getByRole("list", { name: "History" })).toContainText("An import");
});
