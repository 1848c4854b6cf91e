import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { send, signIn } from "./quickstart.ts";

test("somebody asks to be erased: what is held is found, handed out and erased, and a report stays", async ({
  page,
  request,
}) => {
  // The erasure itself is a job of the worker.
  test.setTimeout(120_000);
  const address = `erika-${String(Date.now())}@example.com`;
  const { body } = await send(request, { recipients: [{ channel: "email", recipient: address }] });
  await signIn(page);
  await page.goto("/acme/settings/recipients");
  await page.getByLabel("Address").fill(address.toUpperCase());
  await page.locator("#main").getByRole("button", { name: "Search" }).click();
  const held = page.getByTestId("holdings");
  await expect(held.getByRole("heading", { name: `Data about ${address}` })).toBeVisible();
  await expect(held.getByText("Messages", { exact: true })).toBeVisible();

  const download = page.waitForEvent("download");
  await held.getByRole("button", { name: "Download data" }).click();
  const file = await (await download).createReadStream();
  let text = "";
  for await (const piece of file) text += String(piece);
  expect(JSON.parse(text)).toMatchObject({ address, complete: true, messages: [{ recipient: address }] });

  const reference = `DSR-${String(Date.now())}`;
  await held.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Your reference").fill(reference);
  await dialog.getByLabel(/^Type /).fill(address);
  await dialog.getByRole("button", { name: "Erase permanently" }).click();
  const report = page.getByRole("listitem").filter({ hasText: reference });
  await expect(report.getByText("Completed", { exact: true })).toBeVisible({ timeout: 40_000 });
  await report.getByText(/entr(y|ies) in/).click();
  await expect(report.getByText("Notifications", { exact: true })).toBeVisible();

  await page.goto(`/acme/messages/${body.notifications[0]?.notificationId ?? ""}`);
  await expect(page.getByText("[erased]").first()).toBeVisible();
  await page.goto("/acme/settings/recipients");
  await page.getByLabel("Address").fill(address);
  await page.locator("#main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: `No data about ${address}` })).toBeVisible();
  await expectAccessible(page);
});

test("how long data is kept is changed, and said beforehand what would go", async ({ page }) => {
  await signIn(page);
  await page.goto("/acme/settings/retention");
  await expect(page.getByText("Change periods")).toBeVisible();
  await page.getByRole("button", { name: "Change periods" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Content, days").fill("120");
  await expect(dialog.getByText(/No data is old enough|To be removed/)).toBeVisible();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("120 days")).toBeVisible();
  await expectAccessible(page);
});
