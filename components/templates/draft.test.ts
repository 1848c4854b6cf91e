import { describe, expect, test } from "vitest";
import type { Template } from "../../server/templates/schemas.ts";
import { contentOf, declarationsOf, draftOf, emptyDraft, emptyVariable } from "./draft.ts";

const draft = { ...emptyDraft("webshop", "order/shipped"), name: "order-shipped" };

describe("a template being written", () => {
  test("only an enum has values, and blank lines are none of them", () => {
    const variables = [
      { ...emptyVariable, name: "status", type: "enum" as const, values: "shipped\n\n delivered \n" },
      { ...emptyVariable, name: "city", required: false, example: "Bonn", values: "left over" },
    ];
    const [status, city] = declarationsOf({ ...draft, variables });
    expect(status?.values).toEqual(["shipped", "delivered"]);
    expect(city).toMatchObject({ example: "Bonn", values: undefined, required: false });
  });

  test("a longest length is a number, and none when nothing is written", () => {
    const variables = [
      { ...emptyVariable, name: "city", maxLength: "80" },
      { ...emptyVariable, name: "street" },
    ];
    expect(declarationsOf({ ...draft, variables }).map((each) => each.maxLength)).toEqual([80, undefined]);
  });

  test("only e-mail has a subject", () => {
    expect(contentOf({ ...draft, channel: "sms", subject: "left over" }).subject).toBeNull();
  });

  test("metadata holds what was said for the channel, nothing empty and nothing of another channel", () => {
    const metadata = { from: "", fromName: "Shop", attachments: [], senderId: "SHOP" };
    expect(contentOf({ ...draft, channel: "email", metadata }).metadata).toEqual({ fromName: "Shop" });
    expect(contentOf({ ...draft, channel: "sms", metadata }).metadata).toEqual({ senderId: "SHOP" });
  });

  test("a stored version comes back as it was", () => {
    const stored = {
      application: "webshop",
      name: "order-shipped",
      channel: "whatsapp",
      notificationType: "order",
      notificationSubtype: "shipped",
      region: "DE",
      language: null,
      provider: "twilio",
      subject: null,
      body: "Hi {{ name }}",
      metadata: { templateName: "HX1", parameters: ["{{ name }}"], approvalStatus: "approved" },
      variables: [{ name: "name", type: "string", required: false, example: "Ada", maxLength: 40 }],
    } as unknown as Template;
    const written = draftOf(stored);
    expect(written).toMatchObject({ provider: "twilio", region: "DE", language: "" });
    expect(contentOf(written)).toEqual({
      subject: null,
      body: "Hi {{ name }}",
      metadata: { templateName: "HX1", parameters: ["{{ name }}"] },
      variables: [
        { name: "name", type: "string", required: false, example: "Ada", maxLength: 40, values: undefined },
      ],
    });
  });
});
