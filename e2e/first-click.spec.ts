/** Pages can be seen before they listen. What somebody does in between must not be lost. */
import { expect, test } from "@playwright/test";
import { signIn } from "./quickstart.ts";

test("a link clicked as soon as it can be seen leads where it says, and the page is not thrown away", async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  await signIn(page);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
  // A slow device, on which taking the page over lasts long enough for a click to fall into it.
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  for (const delay of [0, 0, 100, 300]) {
    await page.goto("/acme/broadcasts", { waitUntil: "commit" });
    const link = page.getByRole("link", { name: "New broadcast" }).first();
    await link.waitFor();
    await page.waitForTimeout(delay);
    await link.click();
    await expect(page.getByLabel("Name"), `clicked after ${String(delay)} ms`).toBeVisible();
  }
  expect(errors).toEqual([]);
});

test("a field can be filled in only when the part of the page that it is in listens", async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  await signIn(page);
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  for (let round = 0; round < 4; round += 1) {
    await page.goto("/acme/settings/branding", { waitUntil: "commit" });
    const colour = page.getByLabel("Accent colour", { exact: true });
    await expect(colour).toBeEnabled();
    await colour.fill("#ffe600");
    await expect(page.getByText("Text on it is black"), `round ${String(round + 1)}`).toBeVisible();
  }
});
