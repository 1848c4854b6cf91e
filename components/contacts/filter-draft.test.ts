import { expect, test } from "vitest";
import { contactFilterSchema, type ContactFilter } from "../../server/contacts/schemas.ts";
import { changedFields } from "../ui/changed-fields.ts";
import { compares, draftOf, filterOf, newCondition } from "./filter-draft.ts";

/** As people and systems store them. */
const filter: ContactFilter = {
  all: [
    { field: "region", op: "one_of", value: ["DE", "AT"] },
    { field: "attribute", name: "city", op: "one_of", value: ['Inn "Zur Post"', "Frankfurt, Main", "Köln"] },
    { field: "attribute", name: "since", op: "less", value: "2026-01-31" },
    { field: "attribute", name: "age", op: "greater", value: 18.5 },
    { field: "attribute", name: "code", op: "is", value: "007" },
    { field: "language", op: "is_not_set" },
  ],
  any: [{ field: "timeZone", op: "starts_with", value: "Europe/" }],
};

test("a filter that is opened and left alone is the same, so that nothing of it is sent", () => {
  const opened = filterOf(draftOf(filter));
  expect(opened).toEqual(filter);
  expect(contactFilterSchema.parse(opened)).toEqual(filter);
  // Without alternatives, however that is stored.
  const plain = { all: filter.all.slice(0, 1) };
  expect(filterOf(draftOf({ ...plain, any: [] }))).toEqual(plain);
  expect(
    changedFields({ name: "A", filter: opened }, { name: "B", filter: filterOf(draftOf(filter)) }),
  ).toEqual({ name: "B" });
});

test("changing one condition leaves the others as they are", () => {
  const draft = draftOf(filter);
  const all = draft.all.map((row) => (row.name === "code" ? { ...row, value: " 008 " } : row));
  expect(filterOf({ ...draft, all })).toEqual({
    ...filter,
    all: filter.all.map((each) => (each.name === "code" ? { ...each, value: "008" } : each)),
  });
});

test("a condition that is not complete is refused before it is sent, and one without a value needs none", () => {
  const parse = (part: object) =>
    contactFilterSchema.safeParse(filterOf({ all: [{ ...newCondition(), ...part }], any: [] })).success;
  expect(parse({})).toBe(false);
  expect(parse({ value: "DE" })).toBe(true);
  expect(parse({ op: "one_of", value: " , ," })).toBe(false);
  expect(parse({ op: "greater", value: "many" })).toBe(false);
  expect(parse({ field: "attribute", value: "gold" })).toBe(false);
  expect(compares("is_set")).toBe(false);
  expect(parse({ op: "is_set", value: "left from another comparison" })).toBe(true);
});
