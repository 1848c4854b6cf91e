import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { send, signIn } from "./quickstart.ts";

test("somebody sees what was accepted, changes a target, publishes a status page and writes an incident", async ({
  page,
  request,
  browser,
}) => {
  expect((await send(request)).status).toBe(202);
  await signIn(page);
  await page.getByRole("link", { name: "Objectives" }).click();
  await expect(page.getByRole("heading", { name: "Objectives", exact: true })).toBeVisible();
  // The web process writes its counts every few seconds.
  const accepted = page.getByRole("region", { name: "Send requests accepted" });
  await expect(async () => {
    await page.reload();
    await expect(accepted).toContainText(/\d+ of \d+ requests?/, { timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  await expect(accepted).toContainText("of the error budget left");
  await expect(page.getByRole("region", { name: "One-time codes in time" })).toBeVisible();

  await page.getByRole("button", { name: "Change targets" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("In time: seconds").fill("61");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("At most 60 seconds");
  await dialog.getByLabel("In time: seconds").fill("15");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Targets saved")).toBeVisible();
  await expect(page.getByText("within 15 seconds")).toBeVisible();

  await page.getByRole("button", { name: "Set up page" }).click();
  await dialog.getByLabel("Address").fill("acme-status");
  await dialog.getByLabel("Published").click();
  await dialog.getByLabel("Show percentages").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Status page published")).toBeVisible();
  await page.getByRole("button", { name: "Post incident" }).click();
  await dialog.getByLabel("Title").fill("SMS to Spain are slow");
  await dialog.getByLabel("Update").fill("We are talking to the carrier.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("list", { name: "Incidents" })).toContainText("SMS to Spain are slow");
  await expectAccessible(page);

  // Anybody, without a session.
  const visitor = await browser.newContext();
  const outside = await visitor.newPage();
  await expect(async () => {
    const answer = await outside.goto("/status/acme-status");
    expect(answer?.status()).toBe(200);
    await expect(outside.getByText("SMS to Spain are slow")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await expect(outside.getByRole("heading", { level: 1 })).toContainText("status");
  await expect(outside.getByText("E-mail", { exact: true })).toBeVisible();
  expect(await visitor.cookies()).toEqual([]);
  await expectAccessible(outside);
  expect((await outside.goto("/status/nobody-has-this"))?.status()).toBe(404);
  await visitor.close();
});
