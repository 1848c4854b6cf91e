import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { api, send, signIn } from "./quickstart.ts";

/** The time in Berlin, so many hours from now. */
const inBerlin = (hours: number) =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/Berlin",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(Date.now() + hours * 3_600_000);

test("quiet hours are added, tried, saved and kept to, and the message says why it waits", async ({
  page,
  request,
}) => {
  const recipient = `+49151${String(Date.now()).slice(-8)}`;
  await signIn(page);
  await page.goto("/acme/settings/quiet-hours");
  await page.getByRole("button", { name: "Add quiet hours" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Transactional").check();
  await dialog.getByLabel("SMS").check();
  await dialog.getByLabel("From").fill(inBerlin(-1));
  await dialog.getByLabel("To").fill(inBerlin(3));
  await expect(dialog.getByText(/^Marketing and transactional messages by SMS wait from/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();

  // Tried before it is saved.
  await page.getByLabel("Address").fill(recipient);
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByTestId("preview")).toContainText(/would wait until \w+ \d\d:\d\d in Berlin/);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Quiet hours and caps saved")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("list", { name: "Quiet hours" }).getByRole("listitem")).toHaveCount(2);

  try {
    const { body } = await send(request, { recipients: [{ channel: "sms", recipient }] });
    const id = body.notifications[0]?.notificationId ?? "";
    await expect
      .poll(async () => {
        const { body: message } = await api<{ status: string; reason: { code: string } | null }>(
          request,
          "GET",
          `/v1/notifications/${id}`,
        );
        return [message.status, message.reason?.code];
      })
      .toEqual(["queued", "quiet_hours"]);
    await page.goto(`/acme/messages/${id}`);
    await expect(
      page.getByText(/^Quiet hours for transactional messages by SMS in Europe\/Berlin until/).first(),
    ).toBeVisible();

    // Of two who change them at once, the second is told.
    await page.goto("/acme/settings/quiet-hours");
    await page.getByRole("button", { name: "Review India" }).click();
    await expect(page.getByRole("dialog")).toContainText("Not legal advice");
    await page.getByRole("button", { name: "Add to your quiet hours" }).click();
    const second = await page.context().newPage();
    await second.goto("/acme/settings/quiet-hours");
    await second.getByRole("button", { name: "Add cap" }).click();
    await second.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await second.getByRole("button", { name: "Save", exact: true }).click();
    await expect(second.getByText("Quiet hours and caps saved")).toBeVisible();
    await second.close();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Someone else has changed them")).toBeVisible();
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("list", { name: "Frequency caps" }).getByRole("listitem")).toHaveCount(1);
  } finally {
    await page.goto("/acme/settings/quiet-hours");
    await page.getByRole("button", { name: "Remove quiet hours 2" }).click();
    const caps = page.getByRole("button", { name: "Remove cap 1" });
    if (await caps.isVisible()) await caps.click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeHidden();
  }
});
