import { describe, expect, test } from "vitest";
import { emptyDraft, emptyVariable } from "../draft.ts";
import { previewable, validateDraft } from "./validate-draft.ts";

const draft = {
  ...emptyDraft("webshop", "order/shipped"),
  name: "order-shipped",
  subject: "Shipped",
  body: "<p>Hi</p>",
};

describe("what is wrong with a draft before anybody is asked", () => {
  test("is nothing when it can be saved", () => {
    expect(validateDraft(draft, true)).toEqual({});
    expect(validateDraft({ ...draft, channel: "sms", metadata: { senderId: "ACME" } }, false)).toEqual({});
  });

  test("stands at the member that it is about", () => {
    const wrong = {
      ...draft,
      name: "",
      kind: "",
      metadata: { from: "nobody", attachments: [{ url: "", filename: "a.pdf" }] },
      variables: [
        { ...emptyVariable, name: "9lives" },
        { ...emptyVariable, name: "status", type: "enum" as const },
        { ...emptyVariable, name: "amount", type: "number" as const, example: "many" },
      ],
    };
    expect(Object.keys(validateDraft(wrong, true)).sort()).toEqual([
      "/metadata/attachments/0/url",
      "/metadata/from",
      "/name",
      "/notificationType",
      "/variables/0/name",
      "/variables/1/values",
      "/variables/2/example",
    ]);
  });

  test("includes a body that is too large, in the units of the limit", () => {
    expect(validateDraft({ ...draft, body: "ä".repeat(512 * 1024) }, false)["/body"]).toMatch(/1,024 KiB/);
  });

  test("includes a subject that would end its header", () => {
    expect(validateDraft({ ...draft, subject: "Hi\r\nBcc: x@y.example" }, false)).toHaveProperty("/subject");
  });

  test("does not keep the rest from being previewed", () => {
    const wrong = {
      ...draft,
      metadata: { from: "nobody", fromName: "Shop" },
      variables: [{ ...emptyVariable, name: "amount", type: "number" as const, example: "many" }],
    };
    const shown = previewable(wrong, validateDraft(wrong, false));
    expect(validateDraft(shown, false)).toEqual({});
    expect(shown.metadata).toEqual({ fromName: "Shop" });
    expect(previewable(draft, {})).toBe(draft);
  });

  test("does not look at the audience of a template that exists", () => {
    expect(validateDraft({ ...draft, name: "", kind: "" }, false)).toEqual({});
  });
});
