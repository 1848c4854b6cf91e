import { describe, expect, test } from "vitest";
import type { Template } from "../../../server/templates/schemas.ts";
import { copyInto, newDraft, type Wish } from "./new-draft.ts";

const nothing: Wish = {
  name: null,
  channel: null,
  type: null,
  subtype: null,
  region: null,
  language: null,
  provider: null,
};
const sms = {
  channel: "sms",
  application: "webshop",
  name: "order-status",
  subject: null,
  body: "Hi {{ name }}",
  metadata: { senderId: "ACME" },
  variables: [{ name: "name", type: "string", required: true }],
} as unknown as Template;

describe("a new variant", () => {
  test.each(["sms", "whatsapp", "email"] as const)(
    "keeps the channel of the text it is made from: %s",
    (channel) => expect(newDraft("webshop", nothing, { channel }).channel).toBe(channel),
  );

  test("keeps the text, the variables and the details of the one it is made from", () => {
    const draft = copyInto(newDraft("webshop", { ...nothing, language: "de" }, sms), sms);
    expect(draft).toMatchObject({ channel: "sms", language: "de", body: sms.body, metadata: sms.metadata });
    expect(draft.variables.map(({ name }) => name)).toEqual(["name"]);
  });

  test("is on another channel only when the link asks for it", () => {
    const draft = newDraft("webshop", { ...nothing, channel: "whatsapp" }, sms);
    expect(copyInto(draft, sms)).toMatchObject({ channel: "whatsapp", body: sms.body, metadata: {} });
    expect(newDraft("webshop", { ...nothing, channel: "pigeon" }, sms).channel).toBe("sms");
  });

  test("without a text to start from is an e-mail", () => {
    expect(newDraft("webshop", nothing).channel).toBe("email");
  });
});
