import { describe, expect, test } from "vitest";
import { emptyDraft, emptyVariable } from "../draft.ts";
import { compareVariables, partName, textAt, withTextAt } from "./draft-pointer.ts";

const draft = {
  ...emptyDraft("webshop", "order/shipped"),
  subject: "Hi {{ name }}",
  body: "{% if vip %}{{ order }}{% endif %}",
  metadata: {
    preheader: "{{ city }}",
    attachments: [{ url: "https://x.example/{{ file }}", filename: "a.pdf" }],
  },
};

describe("a text by its pointer", () => {
  test("is read and written wherever it stands, and nothing else changes", () => {
    expect(textAt(draft, "/metadata/attachments/0/filename")).toBe("a.pdf");
    const changed = withTextAt(draft, "/metadata/attachments/0/filename", "b.pdf");
    expect(changed).toEqual({
      metadata: {
        preheader: "{{ city }}",
        attachments: [{ url: "https://x.example/{{ file }}", filename: "b.pdf" }],
      },
    });
    expect(withTextAt(draft, "/body", "x")).toEqual({ body: "x" });
  });

  test("that does not exist is none", () => {
    for (const pointer of [
      "",
      "/nothing",
      "/metadata/constructor",
      "/metadata/attachments/7/url",
      "/variables",
    ]) {
      expect(textAt(draft, pointer)).toBeNull();
      expect(withTextAt(draft, pointer, "x")).toEqual({});
    }
  });

  test("has a name that people know", () => {
    expect(partName("/body")).toBe("Body");
    expect(partName("/metadata/attachments/1/url")).toBe("Attachment 2");
    expect(partName("/metadata/fromName")).toBe("From name");
    expect(partName("/variables/0/name")).toBe("Variable 1");
  });
});

describe("declarations and texts", () => {
  test("miss each other where one has what the other lacks, in the metadata as well", () => {
    const variables = ["name", "vip", "old"].map((name) => ({ ...emptyVariable, name }));
    const { undeclared, unused } = compareVariables({ ...draft, variables });
    expect(undeclared).toEqual(["order", "city", "file"]);
    expect([...unused]).toEqual(["old"]);
  });

  test("of another channel's subject do not count", () => {
    expect(compareVariables({ ...draft, channel: "sms", body: "Hi", metadata: {} }).undeclared).toEqual([]);
  });
});
