import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { lastMonth, loyalty, sentLastMonth } from "./last-month.ts";
import { send, signIn } from "./quickstart.ts";
import { expectFits } from "./expect-fits.ts";

const chart = (page: Page) => page.getByRole("group", { name: /^Costs over time by/ });
const costs = `/acme/costs?env=staging&period=${lastMonth().name}`;

test.beforeEach(async ({ page }) => {
  await signIn(page);
});

test("a bar, and the same day in the table behind it, lead to the charges that they are the sum of", async ({
  page,
}) => {
  // One a day and more, so that every day of the month has a bar.
  await sentLastMonth([
    {
      environment: "staging",
      application: "webshop",
      country: "SE",
      language: "en",
      count: 62,
      price: "0.100000",
    },
    {
      environment: "staging",
      application: "loyalty",
      country: "SE",
      language: "de",
      count: 31,
      price: "0.010000",
    },
  ]);
  // The worker counts them within seconds, and the page asks again only after half a minute.
  await expect(async () => {
    await page.goto(costs);
    await expect(page.getByText("€6.51").first()).toBeVisible({ timeout: 3_000 });
  }).toPass();

  await page.getByRole("button", { name: "Show Costs by application as a table" }).click();
  const table = page.getByRole("region", { name: "Costs by application, table" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download Costs by application as CSV" }).click(),
  ]);
  const [head, ...rows] = parse(readFileSync(await download.path(), "utf8"), { bom: true });
  expect(head).toEqual(["Day (UTC)", "Webshop, EUR", `${loyalty}, EUR`]);
  expect(rows).toHaveLength(await table.getByRole("rowgroup").nth(1).getByRole("row").count());
  const third = rows[2] ?? [];
  await table.getByRole("link", { name: third[0] }).click();
  await expect(page).toHaveURL(/\/costs\/charges\?/);
  const sum = Number(third[1]) + Number(third[2]);
  await expect(page.getByText(`€${sum.toFixed(2)} in all: `)).toBeVisible();

  await page.goBack();
  const bars = chart(page).locator(".recharts-bar").first().locator(".recharts-bar-rectangle path");
  await bars.nth(2).click();
  await expect(page).toHaveURL(/\/costs\/charges\?.*application=webshop/);
  await expect(page.getByText(`€${Number(third[1]).toFixed(2)} in all: `)).toBeVisible();
  // From a charge to its message.
  const charge = page.getByRole("table", { name: "Charges" }).getByRole("row").nth(1);
  await charge.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/messages\?/);
  await expect(page.getByText(/^reader\d+@gmail\.com$/).first()).toBeVisible();
});

test("a name that is long and reads from right to left stays in its place, and is whole on demand", async ({
  page,
}) => {
  await page.goto(costs);
  const legend = chart(page).locator("xpath=ancestor::section").getByTitle(loyalty);
  await expect(legend).toBeVisible({ timeout: 30_000 });
  const name = page.getByRole("region", { name: "Costs by group" }).getByTitle(loyalty);
  for (const each of [legend, name]) {
    const { overflow, direction } = await each.evaluate((node) => ({
      overflow: getComputedStyle(node).textOverflow,
      direction: getComputedStyle(node.matches("bdi") ? node : (node.querySelector("bdi") ?? node)).direction,
    }));
    expect(overflow).toBe("ellipsis");
    expect(direction).toBe("rtl");
  }
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page);
  }
});

for (const [title, address] of [
  ["Costs", costs],
  ["Delivery", "/acme/delivery?env=production&period=30d"],
] as const)
  test(`${title} prints in the light, on A4, without navigation`, async ({ page, request }) => {
    await send(request);
    await page.addInitScript(() => localStorage.setItem("theme", "dark"));
    await page.goto(address);
    await expect(page.locator(".recharts-surface").first()).toBeVisible({ timeout: 30_000 });
    const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
    const inTheDark = await ink();
    // The width of A4 within its margins.
    await page.setViewportSize({ width: 703, height: 1030 });
    await page.emulateMedia({ media: "print" });
    expect(await ink()).not.toBe(inTheDark);
    await expect(page.getByRole("navigation").first()).toBeHidden();
    await expect(page.getByRole("button", { name: "Views" })).toBeHidden();
    await expect(page.getByText("(UTC)").or(page.getByText(/ – /)).first()).toBeVisible();
    for (const drawing of await page.locator(".report .recharts-surface").all()) {
      const box = await drawing.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= 703).toBe(true);
    }
    for (const table of await page.locator(".report table").all()) {
      const box = await table.boundingBox();
      expect(box && box.x + box.width <= 703).toBe(true);
    }
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.toString("latin1")).toMatch(/MediaBox \[0 0 59[45][\d.]* 84[12]/);
  });
