import { expect, it } from "vitest";
import { isOptOutButton, isOptOutPayload, withOptOutButton } from "./opt-out-button.ts";
import { whatsappMetadataSchema } from "./metadata.ts";

it("is known by its payload, else by what is written on it, and a button that cancels something else is none", () => {
  for (const payload of ["STOP", "stop_promotions", "Stop-Promotions", " opt_out ", "UNSUBSCRIBE"]) {
    expect(isOptOutPayload(payload), payload).toBe(true);
  }
  for (const payload of ["CANCEL", "end", "quit", "STOP_ORDER_4711", "", "x".repeat(10_000)]) {
    expect(isOptOutPayload(payload), payload).toBe(false);
  }
  expect(isOptOutButton({ type: "quick_reply", text: "Stop promotions" })).toBe(true);
  expect(isOptOutButton({ type: "quick_reply", text: "Keine Werbung", payload: "STOP" })).toBe(true);
  expect(isOptOutButton({ type: "url", text: "Stop promotions" })).toBe(false);
});

it("is added next to the other quick replies, in the language of the template, in a form that is valid", () => {
  const url = { type: "url", text: "Shop", url: "https://shop.example" };
  const reply = { type: "quick_reply", text: "Thanks" };
  for (const language of [
    "en_GB",
    "de",
    "fr",
    "es_MX",
    "it",
    "pt_BR",
    "nl",
    "pl",
    "tr",
    "sv",
    "ar",
    "hi",
    "",
    "xx",
  ]) {
    const buttons = withOptOutButton([reply, url], language);
    expect(buttons.map(({ type }) => type)).toEqual(["quick_reply", "quick_reply", "url"]);
    expect(buttons.filter(isOptOutButton)).toHaveLength(1);
    expect(whatsappMetadataSchema.safeParse({ buttons }).success, language).toBe(true);
  }
  expect(withOptOutButton([url], "de")[0]).toEqual({
    type: "quick_reply",
    text: "Werbung stoppen",
    payload: "STOP",
  });
});
