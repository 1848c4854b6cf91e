import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { signIn } from "./quickstart.ts";

test("a change is in the audit trail at once, can be searched for, shows what it was before, and is in the export", async ({
  page,
}) => {
  await signIn(page);
  const name = `Audited ${String(Date.now())}`;
  await page.goto("/acme/api-keys?env=sandbox");
  await page
    .getByRole("button", { name: /create.*key|new.*key/i })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: /create/i }).click();
  await expect(page.getByText(/tdg_sbx_/).first()).toBeVisible();

  await page.goto("/acme/audit");
  await page.getByRole("searchbox").fill(name);
  await expect(page).toHaveURL(/q=Audited/);
  const row = page.getByRole("link", { name: /API key created/ });
  await expect(row).toHaveCount(1);
  await row.click();
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("heading", { name: "API key created" })).toBeVisible();
  await expect(panel).toContainText(name);
  await expect(panel).toContainText("Role");
  // A link to it shows the same.
  await page.reload();
  await expect(page.getByRole("dialog")).toContainText(name);
  // A browser drops the keys that are pressed before it has painted a page.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0, { timeout: 2_000 });
  }).toPass();

  await expect(page.getByText(/Verified up to entry|Not verified yet|added to the chain/)).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^audit-acme-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await download.path(), "utf8")).toContain(name);
});
