import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { api, send, signIn } from "./quickstart.ts";

test("addresses are pasted, found again, written to no more, and one is taken out with a reason", async ({
  page,
  request,
}) => {
  const mark = `supp${String(Date.now())}`;
  const [first, second] = [`${mark}-a@example.com`, `${mark}-b@example.com`] as const;
  await signIn(page);
  await page.goto("/acme/suppressions");
  await expect(page.getByRole("heading", { name: "Suppressions" })).toBeVisible();
  await page.getByRole("button", { name: "Add addresses" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Suppress" })).toBeDisabled();
  await dialog.getByLabel("Addresses").fill(`${first}\n${second.toUpperCase()}, nonsense`);
  await dialog.getByLabel("Note").fill("Left the company");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Suppress 3 addresses" }).click();
  await expect(dialog.getByRole("status")).toContainText("2 addresses are suppressed.");
  await expect(dialog.getByRole("status")).toContainText("nonsense");
  await dialog.getByRole("button", { name: "Done" }).click();

  const table = page.getByRole("table", { name: "Suppressions" });
  await page.getByRole("searchbox").fill(mark);
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(table).toContainText("Left the company");
  await expectAccessible(page);

  const { body } = await send(request, { recipients: [{ channel: "email", recipient: first }] });
  const id = body.notifications[0]?.notificationId ?? "";
  const { body: message } = await api<{ status: string; reason: { code: string } | null }>(
    request,
    "GET",
    `/v1/notifications/${id}`,
  );
  expect(message).toMatchObject({ status: "rejected", reason: { code: "suppressed" } });

  const { body: templates } = await api<{ data: { id: string; language: string | null }[] }>(
    request,
    "GET",
    "/v1/templates?name=order-status&channel=email",
  );
  const template = templates.data.find(({ language }) => language === "en")?.id ?? "";
  await page.goto(`/acme/send?env=production&template=${template}`);
  await page.getByRole("textbox", { name: "E-mail addresses" }).fill(first);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Send", exact: true }).last().click();
  await expect(page.getByRole("heading", { name: "Nothing sent: 1 recipient rejected" })).toBeVisible();
  await expect(page.getByText("Stored and retried")).toHaveCount(0);

  await page.goto(`/acme/messages/${id}`);
  await page.getByRole("link", { name: "Why this address is suppressed" }).click();
  await expect(page).toHaveURL(/\/suppressions\?.*q=/);
  await expect(table.getByRole("row")).toHaveCount(2);

  await table.getByRole("button", { name: `Remove ${first}` }).click();
  await dialog.getByLabel("Reason").fill("Came back");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Suppression removed")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No suppressed addresses match" })).toBeVisible();
  const again = await send(request, { recipients: [{ channel: "email", recipient: first }] });
  expect(again.body.notifications[0]?.status).not.toBe("rejected");
});

test("a file of bounces is imported from the page of suppressions, and exported again", async ({ page }) => {
  const mark = `bounce${String(Date.now())}`;
  await signIn(page);
  await page.goto("/acme/suppressions");
  await page.getByRole("button", { name: "Import" }).click();
  await page
    .getByRole("dialog")
    .getByLabel("CSV file")
    .setInputFiles({
      name: `${mark}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from(`Email,Reason,Note\n${mark}@example.com,bounce,550 unknown\nnobody,bounce,\n`),
    });
  await expect(page.getByRole("heading", { name: "Assign columns" })).toBeVisible();
  await page.getByRole("combobox", { name: "Channel of every row" }).click();
  await page.getByRole("option", { name: "E-mail", exact: true }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Check file" }).click();
  await expect(page.getByRole("table", { name: "Errors by row and column" })).toContainText("no e-mail");
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await expect(page.getByText("Completed")).toBeVisible();

  await page.goto("/acme/suppressions");
  await page.getByRole("searchbox").fill(mark);
  await expect(page.getByRole("table", { name: "Suppressions" })).toContainText("550 unknown");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export", exact: true }).click(),
  ]);
  expect(readFileSync(await download.path(), "utf8")).toContain(`email,${mark}@example.com,hard_bounce,`);
});
