import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { api, signIn } from "./quickstart.ts";

test("a group gets a message: looked at first, sent slowly, paused, resumed and finished, each contact once", async ({
  page,
  request,
}) => {
  const own = String(Date.now()).slice(-8);
  const group = `Garden friends ${own}`;
  const contacts = Array.from({ length: 40 }, (_, n) => ({
    externalId: `b-${own}-${String(n)}`,
    name: `Friend ${String(n)}`,
    // One lacks what the template needs.
    attributes: n === 0 ? {} : { customerName: `Friend ${String(n)}`, orderNumber: "A-1", status: "shipped" },
    addresses: [{ channel: "email", address: `friend-${own}-${String(n)}@example.com` }],
  }));
  expect((await api(request, "POST", "/v1/contacts/batch", { contacts })).status).toBe(200);
  const made = await api<{ id: string }>(request, "POST", "/v1/contact-groups", { name: group });
  expect(made.status).toBe(201);
  const members = await api(request, "POST", `/v1/contact-groups/${made.body.id}/members`, {
    externalIds: contacts.map(({ externalId }) => externalId),
  });
  expect(members.status).toBe(200);

  await signIn(page);
  await page.goto("/acme/broadcasts");
  await page.getByRole("link", { name: "New broadcast" }).first().click();
  await page.getByLabel("Name").fill(`Delays ${own}`);
  await page.getByRole("checkbox", { name: group }).check();
  await page.getByRole("combobox", { name: "Message" }).click();
  await page.getByRole("option", { name: "order / order_status" }).click();
  for (const channel of ["SMS", "WhatsApp"]) {
    const box = page.getByRole("checkbox", { name: channel });
    if (await box.isVisible()) await box.uncheck();
  }
  await expectAccessible(page, { without: "iframe" });
  await page.getByRole("button", { name: "Review recipients" }).click();

  await expect(page.getByText("Ready to send")).toBeVisible();
  await expect(page.getByRole("row", { name: /^E-mail 40 0 0 0$/ })).toBeVisible();
  await expect(page.getByText(/^Template /)).toBeVisible();
  await expect(page.getByText(/looked at would not get it: The template needs the variable/)).toBeVisible();
  await expectAccessible(page, { without: "iframe" });
  const id = page.url().split("/").at(-1)?.split("?")[0] ?? "";

  await page.getByRole("button", { name: "Send…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Send 40 messages?" })).toBeVisible();
  await dialog.getByLabel("Messages per second").fill("4");
  await dialog.getByRole("button", { name: "Send now" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  const paused = await api<{ state: string; released: number }>(request, "GET", `/v1/broadcasts/${id}`);
  expect(paused.body.state).toBe("paused");
  expect(paused.body.released).toBeLessThan(40);
  await page.waitForTimeout(1_500);
  const still = await api<{ released: number }>(request, "GET", `/v1/broadcasts/${id}`);
  expect(still.body.released).toBe(paused.body.released);

  await page.getByRole("button", { name: "4 a second…" }).click();
  await dialog.getByLabel("Messages per second").fill("");
  await dialog.getByRole("button", { name: "Change" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Completed", { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("40 of 40 recipients")).toBeVisible();
  await expectAccessible(page, { without: "iframe" });
  const done = await api<{ counts: Record<string, number> }>(request, "GET", `/v1/broadcasts/${id}`);
  expect(done.body.counts.rejected).toBe(1);
  expect(Object.values(done.body.counts).reduce((sum, count) => sum + count, 0)).toBe(40);

  await page.getByRole("link", { name: "Broadcasts" }).first().click();
  await expect(page.getByRole("table", { name: "Broadcasts" })).toContainText(`Delays ${own}`);
});
