import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { signIn } from "./quickstart.ts";

async function importPrices(page: Page, csv: string, save: string): Promise<void> {
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Or paste it").fill(csv);
  await dialog.getByRole("button", { name: "Show what changes" }).click();
  await dialog.getByRole("button", { name: save }).click();
  await expect(dialog).toBeHidden();
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

test("a price list with first and last days is imported, shows what holds today and what follows, and keeps its history", async ({
  page,
}) => {
  const name = `Prices ${String(Date.now())}`;
  await signIn(page);
  await page.goto("/acme/providers");
  await page.getByRole("link", { name: "Add connection" }).click();
  await page.getByRole("button", { name: /^Twilio/ }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Account SID").fill(`AC${"e3".repeat(16)}`);
  await page.getByLabel("Auth token").fill("a-token");
  await page.getByRole("combobox", { name: "Region", exact: true }).click();
  await page.getByRole("option", { name: "ie1" }).click();
  await page.getByRole("button", { name: "Add connection" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await importPrices(page, "channel,country,amount,currency\nsms,DE,0.0800,EUR", "Save 1 price");
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  const csv = dialog.getByLabel("Or paste it");
  const header = "channel,category,country,amount,currency,valid_from,valid_to,free_per_month,tiers";
  const ending = `sms,,DE,0.0800,EUR,,${day(10)},,`;
  await csv.fill([header, ending, `sms,,DE,0.0720,EUR,${day(10)},,,`].join("\n"));
  await dialog.getByRole("button", { name: "Show what changes" }).click();
  await expect(dialog.getByText(/Line 3: The same messages as in line 2/)).toBeVisible();
  await csv.fill(
    [
      header,
      ending,
      `sms,,DE,0.0720,EUR,${day(11)},,,100000=0.0650`,
      "whatsapp,service,,0.0300,EUR,,,1000,",
      `whatsapp,marketing,,0.1000,EUR,,${day(-1)},,`,
    ].join("\n"),
  );
  await dialog.getByRole("button", { name: "Show what changes" }).click();
  await expect(dialog.getByText("4 prices will change:")).toBeVisible();
  await dialog.getByRole("button", { name: "Save 4 prices" }).click();
  await expect(dialog).toBeHidden();

  const sms = page.getByRole("listitem").filter({ hasText: "SMS DE" });
  await expect(sms).toContainText("€0.08");
  await expect(sms).toContainText(/until .+, then €0\.072 from .+, above 100,000 €0\.065/);
  await expect(page.getByRole("listitem").filter({ hasText: "WhatsApp, service" })).toContainText(
    "first 1,000 of a month free",
  );
  await expect(page.getByRole("listitem").filter({ hasText: "WhatsApp, marketing" })).toContainText(
    "no price today",
  );

  await page.getByRole("button", { name: "Changes" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(5);
  await expect(dialog.getByText(/^€0\.08 became €0\.08 until /)).toBeVisible();
});
