"use client";

import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";

export type DeclaredVariable = {
  name: string;
  type: "string" | "number" | "date" | "url" | "enum";
  required: boolean;
  example?: string | undefined;
  maxLength?: number | undefined;
  values?: string[] | undefined;
};

const hints: Record<DeclaredVariable["type"], string | undefined> = {
  string: undefined,
  number: "A number with a point, like 12.50",
  date: "ISO 8601, like 2027-01-31T08:00:00Z",
  url: "An http or https address",
  enum: undefined,
};

/** One input for each variable that the template declares, of the right kind. All values are texts. */
export function VariableFields({
  variables,
  values,
  onChange,
  problems,
}: {
  variables: readonly DeclaredVariable[];
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
  problems: Readonly<Record<string, string>>;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {variables.map((variable) => (
        <Field
          key={variable.name}
          label={<code className="font-mono text-xs font-medium">{variable.name}</code>}
          optional={!variable.required}
          hint={hints[variable.type]}
          error={problems[variable.name]}
          className={variable.type === "url" ? "sm:col-span-2" : undefined}
        >
          {(control) =>
            variable.type === "enum" ? (
              <Select
                {...control}
                value={values[variable.name] ?? ""}
                onValueChange={(value) => onChange(variable.name, value)}
                options={(variable.values ?? []).map((value) => ({ value, label: value }))}
              />
            ) : (
              <Input
                {...control}
                value={values[variable.name] ?? ""}
                onChange={(event) => onChange(variable.name, event.target.value)}
                inputMode={
                  variable.type === "number" ? "decimal" : variable.type === "url" ? "url" : undefined
                }
                placeholder={variable.example}
                maxLength={variable.maxLength}
                required={variable.required}
                autoComplete="off"
              />
            )
          }
        </Field>
      ))}
    </div>
  );
}
