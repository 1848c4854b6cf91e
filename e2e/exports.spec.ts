import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { send, signIn } from "./quickstart.ts";

test("filtered messages are exported, followed over a reload, downloaded and deleted", async ({
  page,
  request,
}) => {
  const own = `ada-${String(Date.now())}@example.com`;
  await send(request, { recipients: [{ channel: "email", recipient: own }] });
  await signIn(page);
  await page.goto("/acme/exports");
  await expect(page.getByText("No exports yet")).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/acme/messages?q=${encodeURIComponent(own)}`);
  await expect(page.getByText(own).first()).toBeVisible();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect(page).toHaveURL(/\/acme\/exports/);
  const line = page.getByRole("list", { name: "Exports" }).getByRole("listitem").first();
  await expect(line).toContainText(`search ${own}`);
  await page.reload();
  await expect(line.getByText("Ready")).toBeVisible();
  await expect(line).toContainText("1 row,");
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    line.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^messages-[\d-]+\.csv$/);
  const text = readFileSync(await download.path(), "utf8");
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(text.trim().split("\n")).toHaveLength(2);
  expect(text).toContain(own);

  await page.getByRole("button", { name: /^Notices/ }).click();
  await expect(page.getByText("Your export is ready").first()).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Export costs" }).click();
  await page.getByRole("menuitem", { name: "All time" }).click();
  await expect(line).toContainText("Costs: all environments");
  await expect(line.getByText("Ready")).toBeVisible();

  await line.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await expect(page.getByText(/^costs-.* is deleted$/)).toBeVisible();
});

test("what a page shows is saved, opened again, shared and mailed", async ({ page }) => {
  await signIn(page);
  await page.goto("/acme/overview?period=7d&channel=email");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Give it a name")).toBeVisible();
  await dialog.getByLabel("Name").fill("E-mail of the week");
  await dialog.getByLabel("Share with everyone").click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Views: E-mail of the week" })).toBeVisible();

  await page.goto("/acme/overview");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "E-mail of the week" }).click();
  await expect(page).toHaveURL(/period=7d/);
  await expect(page).toHaveURL(/channel=email/);

  await page.getByRole("button", { name: "Views: E-mail of the week" }).click();
  await page.getByRole("menuitem", { name: "E-mail this view…" }).click();
  await expectAccessible(page);
  await dialog.getByLabel("Time zone").fill("Nowhere/Else");
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await expect(dialog.getByText("The name of a time zone, such as Europe/Berlin")).toBeVisible();
  await dialog.getByLabel("Time zone").fill("Europe/Berlin");
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await expect(page.getByText("Report scheduled")).toBeVisible();

  await page.goto("/acme/scheduled-reports");
  const line = page.getByRole("list", { name: "Scheduled reports" }).getByRole("listitem").first();
  await expect(line).toContainText("Every Monday at 08:00, Europe/Berlin");
  await expectAccessible(page);
  await line.getByRole("button", { name: "Pause" }).click();
  await expect(line.getByText("Paused", { exact: true })).toBeVisible();

  await page.goto("/acme/overview?period=7d&channel=email");
  await page.getByRole("button", { name: "Views: E-mail of the week" }).click();
  await page.getByRole("menuitem", { name: "Manage views…" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete view" }).click();
  await expect(page.getByText("View deleted")).toBeVisible();
  await page.goto("/acme/scheduled-reports");
  await expect(page.getByText("No scheduled reports")).toBeVisible();
});
