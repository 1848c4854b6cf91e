"use client";

import { Plus, X } from "lucide-react";
import { useMemo } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { useSettled } from "../../ui/use-settled.ts";
import { emptyVariable, type Draft, type DraftVariable } from "../draft.ts";
import { compareVariables } from "./draft-pointer.ts";
import { declare } from "./quick-fix.ts";
import type { FieldProblems } from "./validate-draft.ts";

const pause = 600;
const types = ["string", "number", "date", "url", "enum"] as const;
const examples: Record<DraftVariable["type"], string> = {
  string: "Ada",
  number: "12.50",
  date: "2027-01-31",
  url: "https://example.com/order",
  enum: "one of the values",
};

/** The declarations of a draft; what the texts use and nobody declared is one click away, what nobody uses is marked. */
export function VariablesForm({
  draft,
  problems,
  onChange,
  onInsert,
}: {
  draft: Draft;
  problems: FieldProblems;
  onChange: (variables: DraftVariable[]) => void;
  /** Writes the variable at the cursor of the text. */
  onInsert: (name: string) => void;
}) {
  const { variables } = draft;
  // A name that is being typed is not one to declare yet.
  const settled = useSettled(draft, pause);
  const { undeclared, unused } = useMemo(() => compareVariables(settled), [settled]);
  const missing = undeclared.filter((name) => !variables.some((variable) => variable.name === name));
  const declareThese = (names: readonly string[]) => onChange(declare(draft, names).variables ?? variables);
  const change = (index: number, next: Partial<DraftVariable>) =>
    onChange(variables.map((each, at) => (at === index ? { ...each, ...next } : each)));

  return (
    <div className="grid grid-cols-1 gap-3">
      {missing.length > 0 ? (
        <div
          role="group"
          aria-label="Not declared yet"
          className="grid gap-2 rounded-md bg-warning-soft p-2.5"
        >
          <p className="text-xs text-warning-text">
            The text uses {missing.length === 1 ? "a variable that is" : "variables that are"} not declared.
          </p>
          <div className="flex flex-wrap gap-1.5">
            {missing.slice(0, 12).map((name) => (
              <Button key={name} size="sm" onClick={() => declareThese([name])} className="max-w-full">
                <Plus aria-hidden /> <span className="truncate">Declare {name}</span>
              </Button>
            ))}
            {missing.length > 1 ? (
              <Button size="sm" variant="ghost" onClick={() => declareThese(missing)}>
                Declare all {missing.length}
              </Button>
            ) : null}
          </div>
        </div>
      ) : null}
      {variables.length === 0 && missing.length === 0 ? (
        <p className="text-sm text-ink-muted">
          The text is always the same so far. Write <code className="font-mono text-xs">{"{{ name }}"}</code>{" "}
          where a value belongs, and declare it here.
        </p>
      ) : null}
      {variables.map((variable, index) => (
        <VariableFields
          key={index}
          variable={variable}
          label={variable.name || String(index + 1)}
          isUnused={settled.variables.includes(variable) && unused.has(variable.name.trim())}
          problem={(member) => problems[`/variables/${index}/${member}`]}
          onChange={(next) => change(index, next)}
          onRemove={() => onChange(variables.filter((_, at) => at !== index))}
          onInsert={() => onInsert(variable.name.trim())}
        />
      ))}
      {problems["/variables"] ? <p className="text-xs text-danger-text">{problems["/variables"]}</p> : null}
      <div>
        <Button size="sm" onClick={() => onChange([...variables, emptyVariable])}>
          <Plus aria-hidden /> Add a variable
        </Button>
      </div>
    </div>
  );
}

function VariableFields({
  variable,
  label,
  isUnused,
  problem,
  onChange,
  onRemove,
  onInsert,
}: {
  variable: DraftVariable;
  label: string;
  isUnused: boolean;
  problem: (member: string) => string | undefined;
  onChange: (next: Partial<DraftVariable>) => void;
  onRemove: () => void;
  onInsert: () => void;
}) {
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-x-2 gap-y-2.5 rounded-md border border-line bg-canvas p-2.5">
      <legend className="sr-only">Variable {label}</legend>
      <div className="col-span-2 flex min-h-7 items-center gap-1.5">
        {variable.name.trim() === "" ? (
          <span className="text-xs text-ink-faint">New variable</span>
        ) : (
          <button
            type="button"
            onClick={onInsert}
            title="Write it at the cursor"
            aria-label={`Insert ${variable.name}`}
            className="min-w-0 truncate rounded-sm bg-accent-soft px-1.5 py-0.5 font-mono text-xs text-accent-text hover:underline"
          >
            {`{{ ${variable.name} }}`}
          </button>
        )}
        {isUnused ? <Badge tone="warning">Unused</Badge> : null}
        <Button
          variant="ghost"
          size="iconSm"
          aria-label={`Remove variable ${label}`}
          onClick={onRemove}
          className="ml-auto"
        >
          <X aria-hidden />
        </Button>
      </div>
      <Field label="Name" error={problem("name")}>
        {(control) => (
          <Input
            {...control}
            value={variable.name}
            onChange={(event) => onChange({ name: event.target.value })}
            className="font-mono sm:text-xs"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
      </Field>
      <Field label="Type" error={problem("type")}>
        {(control) => (
          <Select
            {...control}
            value={variable.type}
            onValueChange={(type) => onChange({ type: type as DraftVariable["type"] })}
            options={types.map((type) => ({ value: type, label: type }))}
          />
        )}
      </Field>
      <Field label="Example" error={problem("example")}>
        {(control) => (
          <Input
            {...control}
            placeholder={examples[variable.type]}
            value={variable.example}
            onChange={(event) => onChange({ example: event.target.value })}
            autoComplete="off"
          />
        )}
      </Field>
      <Field label="Max length" error={problem("maxLength")}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            placeholder="any"
            value={variable.maxLength}
            onChange={(event) =>
              onChange({ maxLength: event.target.value.replaceAll(/\D/g, "").slice(0, 5) })
            }
            autoComplete="off"
          />
        )}
      </Field>
      {variable.type === "enum" ? (
        <Field label="Values, one per line" error={problem("values")} className="col-span-2">
          {(control) => (
            <Textarea
              {...control}
              value={variable.values}
              onChange={(event) => onChange({ values: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <label className="col-span-2 flex items-center gap-2 text-sm">
        <Checkbox
          checked={variable.required}
          onCheckedChange={(checked) => onChange({ required: checked === true })}
        />
        Required
      </label>
    </fieldset>
  );
}
