import type { Condition, ContactFilter } from "../../server/contacts/schemas.ts";

/** A condition as it is being written. */
export type ConditionDraft = {
  key: number;
  field: Condition["field"];
  name: string;
  op: Condition["op"];
  value: string;
};
export type FilterDraft = { all: ConditionDraft[]; any: ConditionDraft[] };

let keys = 0;
export const newCondition = (): ConditionDraft => ({
  key: keys++,
  field: "region",
  name: "",
  op: "is",
  value: "",
});

/** Choices as they are typed, with commas between them; one that has a comma itself stands in quotation marks. */
const choice = /\s*"([^"]*)"\s*(?=,|$)|[^,]+/g;
const typed = (choices: readonly string[]) =>
  choices.map((text) => (text.includes(",") ? `"${text}"` : text)).join(", ");
const choicesIn = (text: string) =>
  [...text.matchAll(choice)].map(([whole, quoted]) => (quoted ?? whole).trim()).filter((each) => each !== "");

const draft = ({ field, name = "", op, value }: Condition): ConditionDraft => ({
  key: keys++,
  field,
  name,
  op,
  value: Array.isArray(value) ? typed(value) : value === undefined ? "" : String(value),
});

export const draftOf = ({ all, any = [] }: ContactFilter): FilterDraft => ({
  all: all.map(draft),
  any: any.map(draft),
});

/** Whether an operator compares with something. */
export const compares = (op: Condition["op"]) => op !== "is_set" && op !== "is_not_set";

const number = /^-?\d{1,15}(?:\.\d{1,10})?$/;

function condition({ field, name, op, value }: ConditionDraft): Condition {
  const text = value.trim();
  return {
    field,
    op,
    ...(field === "attribute" ? { name: name.trim() } : {}),
    ...(!compares(op)
      ? {}
      : op === "one_of"
        ? { value: choicesIn(text) }
        : { value: (op === "greater" || op === "less") && number.test(text) ? Number(text) : text }),
  };
}

/** The filter that was written so far; its schema says whether it is whole. */
export const filterOf = ({ all, any }: FilterDraft): ContactFilter => ({
  all: all.map(condition),
  ...(any.length > 0 ? { any: any.map(condition) } : {}),
});
