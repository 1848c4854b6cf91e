import { expect, test } from "vitest";
import { complaintAbout } from "./form-complaints.ts";

const bad = (type: string) =>
  complaintAbout({
    validity: { valid: false, badInput: true } as ValidityState,
    ...{ type, minLength: -1, maxLength: -1, min: "", max: "", title: "" },
  });

test("a date without its time is complained of, which to a browser is as empty as none", () => {
  expect(bad("datetime-local")).toBe("Enter both the date and the time.");
  expect(bad("number")).toBe("Enter a number.");
});
