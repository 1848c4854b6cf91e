"use client";

import { createContext } from "react";

/** What is wrong with the controls of the form around a field, by their ids. */
export const ControlComplaints = createContext<Readonly<Record<string, string>>>({});

/** What a form's summary says when each complaint stands at its field. */
export const checkFields = "Check the highlighted fields";
export const missingValue = "Fill in this field.";

type Control = Pick<
  HTMLInputElement,
  "validity" | "type" | "minLength" | "maxLength" | "min" | "max" | "title"
>;

/** What is wrong with a control by its own attributes (`required`, `type`, `min`, …), in our words; undefined: nothing. */
export function complaintAbout({ validity, type, ...control }: Control): string | undefined {
  if (validity.valid) return undefined;
  if (validity.valueMissing) return missingValue;
  if (validity.badInput) {
    if (type === "number") return "Enter a number.";
    // Begun: to the browser it is as good as empty.
    return type === "datetime-local" ? "Enter both the date and the time." : "Enter a valid value.";
  }
  if (validity.typeMismatch)
    return type === "email" ? "Enter an e-mail address, such as ada@example.com." : "Enter a complete URL.";
  if (validity.tooShort) return `Enter at least ${String(control.minLength)} characters.`;
  if (validity.tooLong) return `Enter at most ${String(control.maxLength)} characters.`;
  if (validity.rangeUnderflow) return `Enter ${control.min} or more.`;
  if (validity.rangeOverflow) return `Enter ${control.max} or less.`;
  if (validity.stepMismatch) return "Enter a whole number.";
  return control.title || "Check the format.";
}
