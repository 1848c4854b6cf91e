import { expect, test } from "@playwright/test";
import { expectListening } from "./accessible.ts";
import { send, signIn } from "./quickstart.ts";

test("an operator follows failures to their messages and the provider's code", async ({ page, request }) => {
  // The simulator's numbers that are sent and then fail.
  for (let index = 0; index < 3; index++)
    await send(request, { recipients: [{ channel: "sms", recipient: "+4915112340004" }] });
  await signIn(page);
  await page.goto("/acme/delivery?env=production&channel=sms");
  const reason = page.getByRole("row").filter({ hasText: "30003" });
  await expect(reason).toContainText("cannot be reached", { timeout: 30_000 });
  await expect
    .poll(async () => Number(await reason.getByRole("link").innerText()), { timeout: 30_000 })
    .toBeGreaterThanOrEqual(3);
  const counted = Number(await reason.getByRole("link").innerText());
  await reason.getByRole("link").click();
  await expect(page).toHaveURL(/providerCode=30003/);
  await expect(page.getByText(`${String(counted)} messages`, { exact: true })).toBeVisible();
  // Before the page listens a row leads to the message's own page.
  await expectListening(page);
  await page.getByRole("row").filter({ hasText: "+4915112340004" }).first().click();
  await expect(
    page.getByRole("dialog").or(page.getByRole("complementary")).getByText("30003").first(),
  ).toBeVisible();
});

test("figures by group lead to as many messages, and a group narrows the page", async ({ page, request }) => {
  await send(request, { recipients: [{ channel: "email", recipient: "reports@gmail.com" }] });
  await signIn(page);
  await page.goto("/acme/delivery?env=production&by=mailDomain");
  const gmail = page.getByRole("row").filter({ hasText: "Gmail" });
  await expect(gmail).toBeVisible({ timeout: 30_000 });
  await gmail.getByRole("button", { name: "Gmail" }).click();
  await expect(page.getByRole("button", { name: "Remove the filter Mail domain" })).toBeVisible();
  await expect(page).toHaveURL(/mailDomain=gmail/);
  const accepted = gmail.getByRole("link").first();
  const count = await accepted.innerText();
  await accepted.click();
  await expect(page.getByText(new RegExp(`^${count} messages?$`))).toBeVisible();
});
