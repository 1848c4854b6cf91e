import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { PlaceInput } from "./place-input.tsx";
import { Select } from "./select.tsx";

const options = [
  { value: "sms", label: "SMS" },
  { value: "email", label: "Email" },
];
const drawn = (value: string) =>
  renderToString(
    createElement(Select, { value, options, onValueChange: () => undefined, "aria-label": "Channel" }),
  );

test("the server draws what is chosen in a select, and the placeholder where nothing is", () => {
  expect(drawn("email")).toContain("Email");
  expect(drawn("email")).not.toContain("Choose…");
  expect(drawn("")).toContain("Choose…");
  expect(drawn("")).not.toContain("Email");
});

test("the server draws the name of the chosen region", () => {
  const html = renderToString(
    createElement(PlaceInput, {
      kind: "region",
      value: "DE",
      onValueChange: () => undefined,
      "aria-label": "Region",
    }),
  );
  expect(html).toContain('value="Germany (DE)"');
});
