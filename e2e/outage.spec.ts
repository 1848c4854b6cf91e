/** What an operator sees and does while a provider is down, by the clock. */
import { expect, test, type Page } from "@playwright/test";
import { startFakeTwilio } from "../server/testing/fake-twilio.ts";
import { api, send, signIn } from "./quickstart.ts";
import { expectFits } from "./expect-fits.ts";

const account = { accountSid: `AC${"0d".repeat(16)}`, authToken: "the-right-token" };

const everythingElse = "Everything else to the simulator, until a provider is connected";

async function addConnection(page: Page, name: string, baseUrl: string): Promise<void> {
  await page.goto("/acme/providers/new?provider=twilio");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Account SID").fill(account.accountSid);
  await page.getByLabel("Auth token").fill(account.authToken);
  await page.getByLabel("Base URL").fill(baseUrl);
  await page.getByRole("combobox", { name: "Region", exact: true }).click();
  await page.getByRole("option", { name: "ie1" }).click();
  await page.getByRole("button", { name: "Add a sender" }).click();
  await page.getByRole("textbox", { name: "Sender of sender 1" }).fill("ACMEout");
  await page.getByRole("button", { name: "Add connection" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

async function save(page: Page, note: string): Promise<void> {
  await page.getByLabel("Note for the history").fill(note);
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByRole("group", { name: "Unsaved changes" })).toHaveCount(0);
}

/** Puts one connection in the place of another in the rule for everything but e-mail. */
async function replace(page: Page, from: string, by: string): Promise<void> {
  await page.getByRole("button", { name: "Add fallback tier" }).click();
  await page.getByRole("menuitem", { name: by }).click();
  await page.getByRole("button", { name: `Actions for ${from}` }).click();
  await page.getByRole("menuitem", { name: "Remove from this rule" }).click();
}

test("an operator sees the extent of an outage and reroutes the dead connection in under a minute", async ({
  page,
  request,
}) => {
  test.setTimeout(300_000);
  // Seventy-six characters: what stands in the banner may be as long.
  const name = `Twilio ${String(Date.now())} ${"of the German order desk ".repeat(3)}`.slice(0, 75) + "!";
  const provider = await startFakeTwilio({ account, callbacks: ["sent", "delivered"] });
  let changed = false;
  let closed = false;
  try {
    await signIn(page);
    await addConnection(page, name, provider.baseUrl);
    await page.goto("/acme/routing?env=production");
    await page.getByRole("link", { name: everythingElse }).click();
    const rule = new URL(page.url()).pathname;
    await replace(page, "Simulator", name);
    await save(page, "Everything through Twilio");
    changed = true;
    // The provider is gone: no message gets through until somebody does something.
    await provider.close();
    closed = true;
    const ids: string[] = [];
    const sendSms = async () => {
      const sent = await send(request, { recipients: [{ channel: "sms", recipient: "+4915112345678" }] });
      ids.push(sent.body.notifications[0]?.notificationId ?? "");
    };
    await page.goto("/acme/overview?env=production");
    const banner = page.getByRole("region", { name: "Outage in Production" });
    await expect
      .poll(
        async () => {
          await sendSms();
          await page.reload();
          return banner.getByText(name).count();
        },
        { timeout: 60_000, intervals: [2_000] },
      )
      .toBeGreaterThan(0);

    const start = Date.now();
    await page.goto("/acme/overview?env=production");
    const line = banner.getByRole("listitem").filter({ hasText: name });
    await expect(line).toContainText(/is unavailable since/);
    await expect(line).toContainText(/\d+ messages? waits? for it \(.*\d+\)/);
    await expect(line.locator("time")).not.toHaveCount(0);
    await line.getByRole("link", { name: "Reroute" }).click();
    await expect(page).toHaveURL(new RegExp(rule));
    await replace(page, name, "Simulator");
    await save(page, "Twilio is gone");
    changed = false;
    const rerouted = Date.now() - start;
    await expect
      .poll(
        async () => {
          const all = await Promise.all(
            ids.map((id) => api<{ status: string }>(request, "GET", `/v1/notifications/${id}`)),
          );
          return all.filter(({ body }) => body.status !== "delivered").length;
        },
        { timeout: 60_000 - rerouted, message: "messages that still wait" },
      )
      .toBe(0);
    const took = Date.now() - start;
    test.info().annotations.push({
      type: "measured",
      description: `${String(rerouted)} ms until rerouted, ${String(took)} ms until the last message was delivered`,
    });
    expect(took).toBeLessThan(60_000);

    // On a phone as well, with a name as long as this.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/acme/overview?env=production");
    await expect(page.getByText(name).first()).toBeVisible();
    await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
    await expectFits(page);
    const outside = await page.evaluate(
      () =>
        [...document.querySelectorAll("main *")].filter(
          (each) => each.checkVisibility() && each.getBoundingClientRect().right > window.innerWidth + 1,
        ).length,
    );
    expect(outside).toBe(0);
  } finally {
    if (changed) {
      await page.goto("/acme/routing?env=production");
      await page.getByRole("link", { name: everythingElse }).click();
      await replace(page, name, "Simulator");
      await save(page, "As it was");
    }
    if (!closed) await provider.close();
  }

  // Of use to nobody any more.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/acme/providers?env=production");
  await page.getByRole("link", { name: `Open connection ${name}` }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("alertdialog");
  await confirm.getByRole("textbox").fill(name);
  await confirm.getByRole("button", { name: "Delete connection" }).click();
  await expect(page).toHaveURL(/\/acme\/providers(\?|$)/);
});
