import { expect, test } from "vitest";
import type { Contact } from "../../server/contacts/schemas.ts";
import { changesOf, draftOf, none } from "./contact-draft.ts";

const contact: Contact = {
  id: "0190b4f0-7c00-7000-8000-000000000001",
  externalId: "customer-8112",
  name: "Ada",
  region: "GB",
  language: null,
  timeZone: null,
  attributes: { plan: "gold", city: "London" },
  addresses: [{ channel: "email", address: "ada@example.com" }],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

test("only what was changed in the dialog is sent, so that what somebody else changes at the same time stays", () => {
  const opened = draftOf(contact);
  expect(changesOf(opened, { ...opened, rows: [...opened.rows, { channel: "sms", address: " " }] })).toEqual(
    {},
  );
  expect(changesOf(opened, { ...opened, name: " Ada Lovelace ", region: none })).toEqual({
    name: "Ada Lovelace",
    region: null,
  });
  const pairs = [
    { name: "plan", value: "silver" },
    { name: "tier", value: "1" },
  ];
  expect(changesOf(opened, { ...opened, rows: [], pairs })).toEqual({
    addresses: [],
    expectedAddresses: contact.addresses,
    attributes: { plan: "silver", tier: "1", city: null },
  });
});
