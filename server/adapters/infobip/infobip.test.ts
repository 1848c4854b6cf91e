/** What is Infobip's own; what all adapters promise is in outgoing.test.ts. */
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { FAKE_INFOBIP_KEY, startFakeInfobip } from "../../testing/fake-infobip.ts";
import type { FakeInfobip } from "../../testing/fake-infobip.ts";
import { loopbackClient } from "../../testing/outbound-email.ts";
import { phoneMessage } from "../../testing/outbound-phone.ts";
import type { OutboundMessage } from "../adapter.ts";
import { signedNotificationOf } from "../callback-url.ts";
import { infobipAdapter } from "./infobip.ts";

const http = loopbackClient();
let infobip: FakeInfobip;
beforeEach(async () => {
  infobip = await startFakeInfobip();
});
afterEach(() => infobip.close());
afterAll(() => http.close());

const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const callbackSecret = "a secret of callbacks";
const message = phoneMessage;
const whatsapp = (more: Partial<OutboundMessage> = {}) => message({ channel: "whatsapp", ...more });
let connections = 0;
/** Through another connection each time: what it learnt of templates is its own. */
const send = (wanted: OutboundMessage) =>
  infobipAdapter.send(
    {
      id: `c${++connections}`,
      credentials: { apiKey: FAKE_INFOBIP_KEY, callbackSecret },
      settings: { baseUrl: infobip.baseUrl },
    },
    wanted,
    { http },
  );

it("signs the address for reports with the callback secret, which does not stand in it", async () => {
  await send(message());
  const [, url = ""] = /"delivery":\{"url":"([^"]+)"/.exec(JSON.stringify(infobip.messages)) ?? [];
  expect(signedNotificationOf({ url }, callbackSecret)).toEqual({ notificationId, attempt: 2 });
  expect(url).not.toContain(encodeURIComponent(callbackSecret));
});

it("tells Infobip's refusal of a repeated id as the success that it is", async () => {
  const again = { kind: "sent", providerMessageId: notificationId };
  for (const wanted of [
    message(),
    message(),
    whatsapp({ idempotencyKey: "w" }),
    whatsapp({ idempotencyKey: "w" }),
  ]) {
    expect(await send(wanted)).toMatchObject(wanted.channel === "sms" ? again : { kind: "sent" });
  }
  expect(infobip.messages).toHaveLength(2);
  expect(infobipAdapter.supportsIdempotency).toBe(true);
});

it("sends an approved template with what fills its placeholders", async () => {
  infobip.templates.push({
    name: "order_shipped",
    language: "en_GB",
    structure: {
      header: { format: "TEXT", text: "Order {{1}}" },
      body: { text: "Hi {{1}}" },
      buttons: [
        { type: "QUICK_REPLY", text: "Thanks" },
        { type: "URL", text: "Track", url: "https://shop.example/{{1}}" },
      ],
    },
  });
  const wanted = whatsapp({
    whatsapp: { template: "order_shipped", language: "en_GB", variables: { "2": "b", "1": "Ada" } },
    header: { type: "text", value: "Order 4711" },
    buttons: [
      { type: "quick_reply", text: "Thanks" },
      { type: "url", text: "Track", value: "https://shop.example/t/4711" },
    ],
  });
  expect(await send(wanted)).toMatchObject({ kind: "sent", providerMessageId: notificationId });
  expect(infobip.messages[0]).toMatchObject({
    path: "/whatsapp/1/message/template",
    body: {
      messages: [
        {
          from: "4915199999999",
          to: "4915112345678",
          messageId: notificationId,
          notifyUrl: expect.stringContaining("signature=") as string,
          content: {
            templateName: "order_shipped",
            language: "en_GB",
            templateData: {
              body: { placeholders: ["Ada", "b"] },
              header: { type: "TEXT", placeholder: "4711" },
              buttons: [
                { type: "QUICK_REPLY", parameter: "Thanks" },
                { type: "URL", parameter: "t/4711" },
              ],
            },
          },
        },
      ],
    },
  });
});
