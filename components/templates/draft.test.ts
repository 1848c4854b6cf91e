import { describe, expect, test } from "vitest";
import { contentOf, declarationsOf, emptyDraft, undeclared } from "./draft.ts";

const draft = { ...emptyDraft("webshop", "order/shipped"), name: "order-shipped" };

describe("a template being written", () => {
  test("offers to declare each variable that the texts use, once", () => {
    const written = {
      ...draft,
      subject: "Hi {{ name }}",
      body: "{{name | upcase}} {{- order -}} {% if vip %}{% endif %}",
    };
    expect(undeclared(written)).toEqual(["name", "order"]);
  });

  test("offers nothing that is declared already", () => {
    const variables = [{ name: "name", type: "string" as const, required: true, example: "", values: "" }];
    expect(undeclared({ ...draft, body: "{{ name }}", variables })).toEqual([]);
  });

  test("only an enum has values, and blank lines are none of them", () => {
    const variables = [
      {
        name: "status",
        type: "enum" as const,
        required: true,
        example: "",
        values: "shipped\n\n delivered \n",
      },
      { name: "city", type: "string" as const, required: false, example: "Bonn", values: "left over" },
    ];
    const [status, city] = declarationsOf({ ...draft, variables });
    expect(status?.values).toEqual(["shipped", "delivered"]);
    expect(city).toMatchObject({ example: "Bonn", values: undefined, required: false });
  });

  test("a longest length that the form does not show survives an edit", () => {
    const variables = [{ name: "city", type: "string" as const, required: true, example: "", values: "" }];
    const known = [{ name: "city", type: "string" as const, required: true, maxLength: 80 }];
    expect(declarationsOf({ ...draft, variables }, known)[0]).toMatchObject({ maxLength: 80 });
  });

  test("only e-mail has a subject", () => {
    expect(contentOf({ ...draft, channel: "sms", subject: "left over" }).subject).toBeNull();
  });
});
