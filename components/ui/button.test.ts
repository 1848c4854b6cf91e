import { createElement, type MouseEvent } from "react";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { Button } from "./button.tsx";

/** What a click on it does: whether it is passed on, and whether it may submit a form. */
function clicked(props: Parameters<typeof Button>[0]) {
  const onClick = vi.fn();
  const drawn = Button({ ...props, onClick });
  const event = { defaultPrevented: false, preventDefault: () => (event.defaultPrevented = true) };
  (drawn.props as { onClick: (event: MouseEvent) => void }).onClick(event as unknown as MouseEvent);
  return { passedOn: onClick.mock.calls.length === 1, maySubmit: !event.defaultPrevented };
}

test("a pending button keeps the focus but takes no click and submits no form, and another does both", () => {
  const html = renderToString(createElement(Button, { pending: true, type: "submit" }, "Save"));
  expect(html).toContain('aria-disabled="true"');
  expect(html).not.toMatch(/ disabled=/);
  expect(clicked({ pending: true, type: "submit" })).toEqual({ passedOn: false, maySubmit: false });
  expect(clicked({ type: "submit" })).toEqual({ passedOn: true, maySubmit: true });
});

test("a button that cannot be used is disabled, and while it works it is not", () => {
  expect(renderToString(createElement(Button, { disabled: true }, "Save"))).toMatch(/ disabled=/);
  expect(renderToString(createElement(Button, { disabled: true, pending: true }, "Save"))).not.toMatch(
    / disabled=/,
  );
});
