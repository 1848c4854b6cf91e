import { expect, test } from "vitest";
import { spread, unionOf } from "./broadcast-variables.ts";

test("channels take turns", () => {
  const templates = ["email", "email", "email", "sms", "whatsapp", "sms"].map((channel, id) => ({
    channel,
    id,
  }));
  expect(spread(templates).map(({ id }) => id)).toEqual([0, 3, 4, 1, 5, 2]);
});

test("variables of several texts are listed once each", () => {
  const name = { name: "name", type: "string", required: true, example: "Ada" } as const;
  const code = { name: "code", type: "string", required: true } as const;
  expect(unionOf([[name], [code, { ...name, example: "Grace" }], []])).toEqual([
    { ...name, required: false },
    { ...code, required: false },
  ]);
});
