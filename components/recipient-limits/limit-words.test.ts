import { expect, test } from "vitest";
import { capSentence, quietSentence, zoneName } from "./limit-words.ts";

const rule = {
  classes: ["marketing" as const],
  channels: [],
  regions: [],
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as ("mon" | "sun")[],
  from: "20:00",
  to: "08:00",
};

test("a rule says what it does", () => {
  expect(quietSentence(rule)).toBe("Marketing waits from 20:00 to 08:00 the next day, every day.");
  expect(
    quietSentence({
      ...rule,
      classes: ["service", "marketing"],
      channels: ["sms", "whatsapp"],
      regions: ["US", "FR", "DE", "AT", "CH"],
      days: ["sun"],
      from: "00:00",
      to: "24:00",
    }),
  ).toBe(
    "Service messages and marketing by SMS and WhatsApp to United States, France, Germany, and 2 more regions wait all day, on Sundays.",
  );
  expect(quietSentence({ ...rule, to: "00:00" })).toBe("Marketing waits from 20:00 to midnight, every day.");
});

test("a cap says what it does", () => {
  expect(capSentence({ class: "marketing", channel: null, most: 1, hours: 24, over: "wait" })).toBe(
    "At most 1 marketing message to a recipient within 1 day. Further messages wait.",
  );
  expect(capSentence({ class: "service", channel: "sms", most: 3, hours: 36, over: "reject" })).toBe(
    "At most 3 service messages by SMS to a recipient within 36 hours. Further messages are rejected.",
  );
  expect(zoneName("America/New_York")).toBe("New York");
});
