import { expect, test } from "vitest";
import { z } from "zod";
import { allAdapters } from "../../server/adapters/adapters.ts";
import { draftOf, kindOf, stepOf, unreadableJson, valuesOf, withRemoved } from "./schema-values.ts";
import type { FieldSchema } from "./schema-values.ts";

const schema = z.toJSONSchema(
  z.strictObject({
    host: z.string(),
    port: z.int().default(587),
    secure: z.boolean().optional(),
    mode: z.enum(["a", "b"]).default("a"),
    key: z.string().meta({ multiline: true }).optional(),
    dkim: z.strictObject({ domain: z.string(), selector: z.string() }).optional(),
    scopes: z.array(z.string()).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  { io: "input" },
) as FieldSchema;

test("what is typed takes the types of the schema, and what is left empty is not sent", () => {
  expect(
    valuesOf(schema, {
      host: " mail.example ",
      port: "2 525",
      secure: false,
      mode: "b",
      key: " -----BEGIN\n",
      dkim: { domain: "", selector: " " },
      scopes: "one\n\n two ",
      headers: '{"a":"b"}',
    }),
  ).toEqual({
    host: "mail.example",
    port: 2525,
    secure: false,
    mode: "b",
    key: " -----BEGIN\n",
    scopes: ["one", "two"],
    headers: { a: "b" },
  });
  // What is no number goes as it is, so that the service says what is wrong with it.
  expect(valuesOf(schema, { port: "many" })).toEqual({ port: "many" });
});

test("stored values come back from the form as they were", () => {
  const stored = {
    host: "mail.example",
    port: 25,
    secure: true,
    mode: "a",
    dkim: { domain: "example.com", selector: "x" },
    scopes: ["one", "two"],
    headers: { a: "b" },
  };
  expect(valuesOf(schema, draftOf(schema, stored))).toEqual(stored);
  expect(draftOf(schema)).toEqual({ port: "587", mode: "a" });
});

test("a field that was emptied is removed, and one that was never there is not spoken of", () => {
  expect(withRemoved({ host: "b" }, { host: "a", clientName: "x" })).toEqual({ host: "b", clientName: null });
});

test("text that is no JSON is found before it is sent", () => {
  expect(unreadableJson(schema, { headers: "{" }, "/settings")).toEqual(["/settings/headers"]);
  expect(unreadableJson(schema, { headers: "{}" }, "/settings")).toEqual([]);
});

test.each(allAdapters())("every field of $label has a control and a label", (adapter) => {
  for (const zod of [adapter.credentialsSchema, adapter.settingsSchema]) {
    const described = z.toJSONSchema(zod, { io: "input", unrepresentable: "any" }) as FieldSchema;
    for (const form of described.oneOf ?? described.anyOf ?? [described]) {
      expect(form.type).toBe("object");
      for (const [name, field] of Object.entries(form.properties ?? {})) {
        if (field.const !== undefined || adapter.name === "simulator") continue;
        expect(field.title, name).toBeTruthy();
        expect(kindOf(field), name).toBeTruthy();
      }
    }
  }
});

test("every choice of a provider's settings has a name for people, and nothing else has one", () => {
  for (const adapter of allAdapters()) {
    const settings = z.toJSONSchema(adapter.settingsSchema, { io: "input" }) as FieldSchema;
    for (const [name, { enum: values = [], choices }] of Object.entries(settings.properties ?? {})) {
      const where = `${adapter.name} ${name}`;
      if (choices) expect(Object.keys(choices).sort(), where).toEqual(values.map(String).sort());
      // HTTP's own words are what their readers know.
      else expect(adapter.name === "http" ? [] : values, where).toEqual([]);
    }
  }
});

test("a complaint leads to the step that asks for its field, and to none where no step does", () => {
  const steps = [
    { title: "Request", hint: "", settings: ["url", "body"], credentials: [] },
    { title: "Authentication", hint: "", settings: ["headers"], credentials: ["secrets"] },
  ];
  expect(stepOf(steps, "/settings/body")).toBe(0);
  expect(stepOf(steps, "/credentials/secrets")).toBe(1);
  expect(stepOf(steps, "/settings/headers/0")).toBe(1);
  expect(stepOf(steps, "/name")).toBe(-1);
});
