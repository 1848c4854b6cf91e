/** What an operator sees and does while a provider is down, by the clock. */
import { expect, test, type APIRequestContext } from "@playwright/test";
import { startFakeTwilio } from "../server/testing/fake-twilio.ts";
import { api, send, signIn } from "./quickstart.ts";

const account = { accountSid: `AC${"0d".repeat(16)}`, authToken: "the-right-token" };

interface Made {
  id: string;
}
const made = async (request: APIRequestContext, path: string, body: unknown): Promise<string> => {
  const { status, body: answer } = await api<Made>(request, "POST", path, body);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.id;
};

test("an operator sees the extent of an outage and reroutes the dead connection in under a minute", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  // Seventy-six characters: what stands in the banner may be as long.
  const name = `Twilio ${String(Date.now())} ${"of the German order desk ".repeat(3)}`.slice(0, 75) + "!";
  const provider = await startFakeTwilio({ account, callbacks: ["sent", "delivered"] });
  let connection = "";
  let rule = "";
  try {
    connection = await made(request, "/v1/providers", {
      name,
      provider: "twilio",
      channels: ["sms"],
      credentials: account,
      settings: { baseUrl: provider.baseUrl },
      senders: [{ channel: "sms", sender: "ACMEout" }],
    });
    rule = await made(request, "/v1/routing-rules", {
      name: "Orders by SMS through Twilio",
      application: "webshop",
      channel: "sms",
      tiers: [[{ connectionId: connection, weight: 100 }]],
    });
    // The provider refuses the credentials: no message gets through until somebody does something.
    provider.setMode({ kind: "error", status: 401, code: 20003 });
    const ids: string[] = [];
    const sendSms = async () => {
      const sent = await send(request, { recipients: [{ channel: "sms", recipient: "+4915112345678" }] });
      ids.push(sent.body.notifications[0]?.notificationId ?? "");
    };
    await signIn(page);
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
    await expect(line).toContainText(
      /\d+ messages? waits? for it \(Webshop \d+\)|\d+ messages? waits? for it/,
    );
    await expect(line.locator("time")).not.toHaveCount(0);
    await line.getByRole("link", { name: "Reroute" }).click();
    await expect(page).toHaveURL(new RegExp(`/routing/rules/${rule}`));
    await page.getByRole("button", { name: "Add a fallback tier" }).click();
    await page.getByRole("menuitem", { name: /Simulator/ }).click();
    await page.getByLabel("Note for the history").fill("Twilio refuses us");
    await page.getByRole("button", { name: "Save rule" }).click();
    await expect(page.getByRole("group", { name: "Unsaved changes" })).toHaveCount(0);
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
    test
      .info()
      .annotations.push({
        type: "measured",
        description: `${String(rerouted)} ms until rerouted, ${String(took)} ms until the last message was delivered`,
      });
    console.log(`rerouted after ${String(rerouted)} ms, all delivered after ${String(took)} ms`);
    expect(took).toBeLessThan(60_000);

    // On a phone as well, with a name as long as this.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/acme/overview?env=production");
    await expect(page.getByText(name).first()).toBeVisible();
    await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    const outside = await page.evaluate(
      () =>
        [...document.querySelectorAll("main *")].filter(
          (each) => each.checkVisibility() && each.getBoundingClientRect().right > window.innerWidth + 1,
        ).length,
    );
    expect(outside).toBe(0);
  } finally {
    if (rule !== "") await api(request, "DELETE", `/v1/routing-rules/${rule}`);
    if (connection !== "") await api(request, "DELETE", `/v1/providers/${connection}?force=true`);
    await provider.close();
  }
});
