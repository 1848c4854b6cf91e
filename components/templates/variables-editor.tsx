"use client";

import { Plus, X } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { cn } from "../ui/cn.ts";
import { Input, inputStyle } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import type { Draft, DraftVariable } from "./draft.ts";
import { emptyVariable, undeclared } from "./draft.ts";

const types = ["string", "number", "date", "url", "enum"] as const;

/** The declarations of a draft; what the texts use and nobody declared is one click away. */
export function VariablesEditor({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (variables: DraftVariable[]) => void;
}) {
  const { variables } = draft;
  const missing = undeclared(draft);
  const add = (name: string) => onChange([...variables, { ...emptyVariable, name }]);
  const change = (index: number, next: Partial<DraftVariable>) =>
    onChange(variables.map((each, at) => (at === index ? { ...each, ...next } : each)));

  return (
    <div className="grid gap-3">
      {variables.map((variable, index) => (
        <fieldset key={index} className="grid gap-2 rounded-md border border-line bg-canvas p-2.5">
          <legend className="sr-only">Variable {variable.name || index + 1}</legend>
          <div className="grid grid-cols-[minmax(0,1fr)_7rem_auto] items-center gap-2">
            <Input
              aria-label="Name"
              placeholder="name"
              value={variable.name}
              onChange={(event) => change(index, { name: event.target.value })}
              className="font-mono sm:text-xs"
              spellCheck={false}
              autoComplete="off"
            />
            <Select
              aria-label="Type"
              value={variable.type}
              onValueChange={(type) => change(index, { type: type as DraftVariable["type"] })}
              options={types.map((type) => ({ value: type, label: type }))}
            />
            <Button
              variant="ghost"
              size="iconSm"
              aria-label={`Remove variable ${variable.name}`}
              onClick={() => onChange(variables.filter((_, at) => at !== index))}
            >
              <X aria-hidden />
            </Button>
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)_7rem_auto] items-center gap-2">
            <Input
              aria-label="Example"
              placeholder="Example, for previews"
              value={variable.example}
              onChange={(event) => change(index, { example: event.target.value })}
              autoComplete="off"
            />
            <label className="flex items-center gap-2 text-sm">
              <Checkbox
                checked={variable.required}
                onCheckedChange={(checked) => change(index, { required: checked === true })}
              />
              Required
            </label>
            <span className="w-7" />
          </div>
          {variable.type === "enum" ? (
            <textarea
              aria-label="Values, one a line"
              placeholder="Values, one a line"
              value={variable.values}
              onChange={(event) => change(index, { values: event.target.value })}
              rows={3}
              className={cn(inputStyle, "px-2.5 py-1.5 text-base sm:text-sm")}
            />
          ) : null}
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-2">
        {missing.map((name) => (
          <Button key={name} size="sm" onClick={() => add(name)}>
            <Plus aria-hidden /> Declare <code className="font-mono">{name}</code>
          </Button>
        ))}
        <Button size="sm" variant="ghost" onClick={() => add("")}>
          <Plus aria-hidden /> Add a variable
        </Button>
      </div>
    </div>
  );
}
