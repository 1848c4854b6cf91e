import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import type { APIRequestContext, Page } from "@playwright/test";
import { quickstart, signIn } from "./quickstart.ts";

async function sendWith(request: APIRequestContext, key: string, recipient: string) {
  const { example } = quickstart();
  const response = await request.fetch(example.path, {
    method: example.method,
    headers: { Authorization: `Bearer ${key}` },
    data: {
      ...example.body,
      transactionId: `e2e-keys-${String(Date.now())}-${String(Math.random())}`,
      recipients: [{ channel: "email", recipient }],
    },
  });
  return {
    status: response.status(),
    body: (await response.json()) as {
      notifications?: { status: string; notificationId: string }[];
      code?: string;
    },
  };
}

/** The key that a dialog shows this once. */
async function takeKey(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Your new key" });
  const key = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();
  return key;
}

test("a key is made with a purpose and networks, changed and rotated; both work until the old one ends", async ({
  page,
  request,
}) => {
  const name = `Order service ${String(Date.now())}`;
  await signIn(page);
  await page.goto("/acme/api-keys");
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog", { name: "Create API key" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Purpose").fill("Sends order confirmations");
  await dialog.getByLabel("Allowed networks").fill("127.0.0.0/8, nonsense");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText(/“nonsense” is not an address/)).toBeVisible();
  await dialog.getByLabel("Allowed networks").fill("127.0.0.0/8\n::1");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const first = await takeKey(page);
  expect((await sendWith(request, first, "ada@example.com")).status).toBe(202);

  await page.getByRole("link", { name }).click();
  const panel = page.getByRole("dialog", { name });
  await expect(panel.getByText("Sends order confirmations")).toBeVisible();
  await expect(panel.getByText("127.0.0.0/8")).toBeVisible();
  await expectAccessible(page, { without: "iframe" });
  await panel.getByRole("button", { name: "Rotate…" }).click();
  await page
    .getByRole("dialog", { name: /^Rotate/ })
    .getByRole("button", { name: "Rotate key" })
    .click();
  const second = await takeKey(page);
  expect(second).not.toBe(first);
  for (const key of [first, second])
    expect((await sendWith(request, key, "ada@example.com")).status).toBe(202);

  // Bound to another network it is refused, whatever the caller says about where it is.
  await page.getByRole("button", { name: "Close panel" }).click();
  await page.getByRole("link", { name }).first().click();
  await panel.getByRole("button", { name: "Change…" }).click();
  const change = page.getByRole("dialog", { name: `Change “${name}”` });
  await change.getByLabel("Allowed networks").fill("203.0.113.0/24");
  await change.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/saved. It takes effect within seconds/)).toBeVisible();
  await expect
    .poll(async () => (await sendWith(request, second, "ada@example.com")).body.code)
    .toBe("address_not_allowed");
});

test("what an agent sends to production waits for a person, who reads it, approves it, and sees it arrive", async ({
  page,
  request,
}) => {
  const name = `Assistant ${String(Date.now())}`;
  await signIn(page);
  await page.goto("/acme/api-keys");
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog", { name: "Create API key" });
  await dialog.getByLabel("Who uses it").click();
  await page.getByRole("option", { name: /AI agent/ }).click();
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("May write to").fill("*@example.com");
  await dialog.getByLabel("Messages per hour").fill("5");
  await dialog.getByLabel(/May send in Production/).check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await takeKey(page);

  expect(await sendWith(request, key, "ada@elsewhere.example")).toMatchObject({
    status: 403,
    body: { code: "agent_limit" },
  });
  const sent = await sendWith(request, key, "ada@example.com");
  expect(sent).toMatchObject({ status: 202, body: { notifications: [{ status: "pending_approval" }] } });
  const id = sent.body.notifications?.[0]?.notificationId ?? "";

  await page.goto(`/acme/messages/${id}`);
  await expect(page.getByText("Awaiting approval").first()).toBeVisible();
  await page.getByRole("link", { name: "View request" }).click();
  const panel = page.getByRole("dialog", { name: "1 message" });
  await expect(panel.getByText(name).first()).toBeVisible();
  await expect(panel.getByText("ada@example.com").first()).toBeVisible();
  await expectAccessible(page, { without: "iframe" });
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation.getByRole("link", { name: /Approvals\s*\d+/ })).toBeVisible();
  await panel.getByRole("button", { name: "Approve…" }).click();
  await page.getByRole("button", { name: "Approve and send" }).click();
  await expect(page.getByText("Approved: 1 message on the way")).toBeVisible();
  await page.goto(`/acme/messages/${id}`);
  // The demo's mail server has no receipts: sent is the end.
  await expect(page.getByText(/^(Sent|Delivered)/).first()).toBeVisible({ timeout: 15_000 });

  // And one is refused.
  const second = await sendWith(request, key, "bob@example.com");
  await page.goto("/acme/approvals");
  await page
    .getByRole("link", { name: new RegExp(`Open request of ${name}`) })
    .first()
    .click();
  await page.getByRole("dialog", { name: "1 message" }).getByRole("button", { name: "Reject…" }).click();
  const refuse = page.getByRole("dialog", { name: /^Reject/ });
  await refuse.getByLabel("Reason").fill("Wrong customer");
  await refuse.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Rejected. Nothing was sent")).toBeVisible();
  await page.goto(`/acme/messages/${second.body.notifications?.[0]?.notificationId ?? ""}`);
  await expect(page.getByText(/Wrong customer/).first()).toBeVisible();
});
