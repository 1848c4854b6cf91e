import { afterAll, describe, expect, it } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { templatePreviewInputSchema } from "../templates/schemas.ts";
import { explainSend } from "./explain-send.ts";
import { orderOfSend } from "./orders.ts";
import { previewMessage } from "./preview-message.ts";
import { sendRequestSchema } from "./schemas.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());

const draft = (more: Record<string, unknown> = {}) =>
  templatePreviewInputSchema.parse({
    channel: "sms",
    body: "{{ text }}",
    variables: [{ name: "text", example: "я".repeat(100) }],
    application: "shop",
    notificationType: "order",
    notificationSubtype: "order_status",
    ...more,
  });

async function world() {
  const made = await makeSendingWorld(database);
  const twilio = await made.addTwilio(provider.baseUrl, {
    name: "Twilio",
    priceList: [
      { channel: "sms", amount: "0.1", currency: "EUR" },
      { channel: "sms", country: "DE", amount: "0.075", currency: "EUR" },
    ],
  });
  return { ...made, twilio };
}

describe("the cost in a preview", () => {
  it("is that of the first stage's route: the country's price times the segments", async () => {
    const { tenant, addRule, twilio } = await world();
    await addRule("staging", [[twilio.id]], { channel: "sms" });
    expect((await previewMessage(tenant.system, draft())).estimatedCost).toEqual({
      amount: "0.150000",
      currency: "EUR",
      connection: "Twilio",
    });
    expect((await previewMessage(tenant.system, draft({ region: "FR" }))).estimatedCost).toMatchObject({
      amount: "0.200000",
    });
    const production = tenant.environments.production;
    expect(
      (await previewMessage(tenant.system, draft({ environmentId: production }))).estimatedCost,
    ).toBeNull();
  });

  it("is the same as an explanation's", async () => {
    const { tenant, addRule, twilio, addTemplate } = await world();
    await addRule("production", [[twilio.id]], { channel: "sms" });
    const templateId = await addTemplate({
      name: "own",
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "sms",
      body: "{{ code }}",
    });
    const environmentId = tenant.environments.production;
    const { estimatedCost } = await previewMessage(
      tenant.system,
      templatePreviewInputSchema.parse({ templateId, environmentId, values: { code: "x".repeat(200) } }),
    );
    const order = orderOfSend(
      environmentId,
      sendRequestSchema.parse(
        sendBody({ notificationSubtype: "receipt", templateVariables: [{ code: "x".repeat(200) }] }),
      ),
    );
    const [message] = (await explainSend(tenant.system, order)).messages;
    expect(message?.estimatedCost).toEqual({ amount: "0.150000", currency: "EUR" });
    expect(estimatedCost).toEqual({ ...message?.estimatedCost, connection: "Twilio" });
  });

  it("is unknown in the sandbox, without a route, without an application and for what cannot be rendered", async () => {
    const { tenant, addRule, twilio } = await world();
    expect((await previewMessage(tenant.system, draft())).estimatedCost).toBeNull();
    await addRule("staging", [[twilio.id]], { channel: "sms" });
    const { sandbox } = tenant.environments;
    for (const more of [{ environmentId: sandbox }, { application: undefined }, { body: "{{ nobody }}" }]) {
      expect((await previewMessage(tenant.system, draft(more))).estimatedCost).toBeNull();
    }
  });

  it("is hidden from everybody else", async () => {
    const { tenant, addRule, twilio } = await world();
    await addRule("staging", [[twilio.id]], { channel: "sms" });
    const colleague = tenant.as("template_author", tenant.units.beta);
    const error: unknown = await previewMessage(colleague, draft()).catch((thrown: unknown) => thrown);
    expect(error instanceof DomainError && error.code).toBe("unknown_application");
  });
});
