"use client";

import { Plus, X } from "lucide-react";
import { contactLimits, filterFields, filterOperators } from "../../server/contacts/vocabulary.ts";
import { Button } from "../ui/button.tsx";
import { PlaceInput } from "../ui/place-input.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { compares, newCondition, type ConditionDraft, type FilterDraft } from "./filter-draft.ts";

const fieldLabels = { region: "Region", language: "Language", timeZone: "Time zone", attribute: "Attribute" };
const operatorLabels = {
  is: "is",
  is_not: "is not",
  contains: "contains",
  starts_with: "starts with",
  one_of: "is one of",
  is_set: "is set",
  is_not_set: "is not set",
  greater: "is greater than, or after",
  less: "is less than, or before",
};

/** The conditions of a group by filter. */
export function FilterEditor({
  draft,
  onChange,
}: {
  draft: FilterDraft;
  onChange: (draft: FilterDraft) => void;
}) {
  const full = draft.all.length + draft.any.length >= contactLimits.conditions;
  return (
    <div className="grid gap-4">
      <Conditions
        label="All of these apply"
        add="Condition"
        full={full}
        rows={draft.all}
        onChange={(all) => onChange({ ...draft, all })}
      />
      <Conditions
        label="And at least one of these"
        add={draft.any.length === 0 ? "Alternatives" : "Alternative"}
        full={full}
        rows={draft.any}
        onChange={(any) => onChange({ ...draft, any })}
      />
    </div>
  );
}

function Conditions({
  label,
  add,
  full,
  rows,
  onChange,
}: {
  label: string;
  add: string;
  full: boolean;
  rows: readonly ConditionDraft[];
  onChange: (rows: ConditionDraft[]) => void;
}) {
  const change = (key: number, part: Partial<ConditionDraft>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <fieldset className="grid gap-2">
      {rows.length > 0 ? <legend className="mb-1.5 text-sm font-medium">{label}</legend> : null}
      {rows.map((row) => (
        <div key={row.key} className="flex flex-wrap items-center gap-2">
          <Select
            aria-label="Field"
            className="w-32"
            value={row.field}
            onValueChange={(value) =>
              change(row.key, { field: filterFields.find((field) => field === value) ?? "region", value: "" })
            }
            options={filterFields.map((value) => ({ value, label: fieldLabels[value] }))}
          />
          {row.field === "attribute" ? (
            <Input
              aria-label="Name of the attribute"
              className="w-28"
              placeholder="plan"
              value={row.name}
              maxLength={contactLimits.attributeName}
              spellCheck={false}
              onChange={(event) => change(row.key, { name: event.target.value })}
            />
          ) : null}
          <Select
            aria-label="Comparison"
            className="w-40"
            value={row.op}
            onValueChange={(value) =>
              change(row.key, { op: filterOperators.find((op) => op === value) ?? "is" })
            }
            options={filterOperators.map((value) => ({ value, label: operatorLabels[value] }))}
          />
          {compares(row.op) ? (
            <Value row={row} onChange={(value) => change(row.key, { value })} />
          ) : (
            <span className="flex-1" />
          )}
          <Button
            variant="ghost"
            size="icon"
            aria-label="Remove condition"
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      <Button
        size="sm"
        className="justify-self-start"
        disabled={full}
        onClick={() => onChange([...rows, newCondition()])}
      >
        <Plus aria-hidden /> {add}
      </Button>
    </fieldset>
  );
}

const placeholders: Record<string, string> = {
  one_of: "gold, silver",
  greater: "18 or 2026-01-31",
  less: "18 or 2026-01-31",
};

function Value({ row, onChange }: { row: ConditionDraft; onChange: (value: string) => void }) {
  const isPlace = row.field === "region" || row.field === "language";
  if (isPlace && (row.op === "is" || row.op === "is_not")) {
    return (
      <PlaceInput
        kind={row.field === "region" ? "region" : "language"}
        aria-label="Value"
        className="min-w-36 flex-1"
        value={row.value}
        onValueChange={onChange}
      />
    );
  }
  return (
    <Input
      aria-label="Value"
      className="min-w-36 flex-1"
      placeholder={
        placeholders[row.op] ??
        (row.field === "timeZone" ? "Europe/Berlin" : row.field === "attribute" ? "gold" : "DE")
      }
      value={row.value}
      maxLength={contactLimits.attributeText}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
