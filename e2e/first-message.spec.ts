import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { api, quickstart, send, signIn } from "./quickstart.ts";

test("the printed request is accepted, its mail arrives and the portal shows its timeline", async ({
  page,
  request,
}) => {
  const sent = await send(request, { recipients: [{ channel: "email", recipient: "first@example.com" }] });
  expect(sent.status).toBe(202);
  const id = sent.body.notifications[0]?.notificationId ?? "";

  const mailbox = quickstart().mailbox;
  await expect
    .poll(
      async () => {
        const mails = (await (await fetch(mailbox)).json()) as { to: string[] }[];
        return mails.some((mail) => mail.to.includes("first@example.com"));
      },
      { timeout: 5_000 },
    )
    .toBe(true);

  await signIn(page);
  await page.goto(`/acme/messages/${id}`);
  await expect(page.getByText("first@example.com").first()).toBeVisible();
  for (const event of ["Queued", "Sending", "Sent"]) {
    await expect(page.getByRole("listitem").filter({ hasText: event }).first()).toBeVisible();
  }
});

test("a repeated request is answered with the first answer, a changed one is refused", async ({
  request,
}) => {
  const transactionId = `e2e-repeat-${String(Date.now())}`;
  const first = await send(request, { transactionId });
  const again = await send(request, { transactionId });
  expect(again.status).toBe(202);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.body).toEqual(first.body);
  const changed = await send(request, { transactionId, region: "FR" });
  expect(changed.status).toBe(422);
});

test("a webhook arrives for each change, signed both ways", async ({ request }) => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      received.push({
        headers: Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hook`;
    const created = await api<{ id: string; secret: string }>(
      request,
      "POST",
      "/v1/webhooks",
      { url, application: "webshop" },
      "sandbox",
    );
    expect(created.status).toBe(201);
    const sent = await send(
      request,
      { recipients: [{ channel: "sms", recipient: "+4915112345678" }] },
      "sandbox",
    );
    const id = sent.body.notifications[0]?.notificationId ?? "";
    const events = () =>
      received
        .map(
          (call) =>
            JSON.parse(call.body) as { event: string; data: { notificationId: string; sequence: number } },
        )
        .filter((call) => call.data.notificationId === id)
        .sort((a, b) => a.data.sequence - b.data.sequence)
        .map((call) => call.event);
    await expect
      .poll(events)
      .toEqual([
        "notification.queued",
        "notification.sending",
        "notification.sent",
        "notification.delivered",
      ]);
    const webhook = new Webhook(created.body.secret);
    for (const call of received) expect(() => webhook.verify(call.body, call.headers)).not.toThrow();
    const removed = await api(request, "DELETE", `/v1/webhooks/${created.body.id}`, undefined, "sandbox");
    expect(removed.status).toBe(204);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

test("the sandbox plays the scenario of the recipient's address", async ({ request }) => {
  const outcomes: Record<string, string> = {
    "+4915112345678": "delivered",
    "+4915112340001": "failed",
    "+4915112340003": "delivered",
    "+4915112340004": "failed",
    "+4915112340006": "failed",
    "+4915112340007": "sent",
  };
  const sent = await send(
    request,
    { recipients: Object.keys(outcomes).map((recipient) => ({ channel: "sms", recipient })) },
    "sandbox",
  );
  for (const { notificationId, recipient } of sent.body.notifications) {
    await expect
      .poll(
        async () =>
          (
            await api<{ status: string }>(
              request,
              "GET",
              `/v1/notifications/${notificationId}`,
              undefined,
              "sandbox",
            )
          ).body.status,
        { message: recipient, timeout: 20_000 },
      )
      .toBe(outcomes[recipient]);
  }
});
