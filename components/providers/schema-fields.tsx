"use client";

import { Fragment } from "react";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { Field } from "../ui/field.tsx";
import { humanize } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { kindOf } from "./schema-values.ts";
import type { Draft, FieldSchema } from "./schema-values.ts";

/** Complaints by JSON pointer. */
export type Problems = ReadonlyMap<string, string>;

/** The fields of an object schema. With `secret`, texts are written and never read back. */
export function SchemaFields({
  schema,
  draft,
  onChange,
  pointer,
  problems,
  secret = false,
  stored = [],
  only,
}: {
  schema: FieldSchema;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Where the object is in the request, e.g. "/settings". */
  pointer: string;
  problems: Problems;
  secret?: boolean;
  /** Names of secrets that are stored: leaving them empty keeps them. */
  stored?: readonly string[];
  /** The fields to show, in this order; all by default. */
  only?: readonly string[];
}) {
  const set = (name: string, value: Draft[string]) => onChange({ ...draft, [name]: value });
  const fields = Object.entries(schema.properties ?? {});
  const shown = only ? only.flatMap((name) => fields.filter(([each]) => each === name)) : fields;
  return shown.map(([name, field]) => (
    <Fragment key={name}>
      {field.section === undefined ? null : (
        <h3 className="border-t border-line pt-4 text-sm font-semibold sm:col-span-2">{field.section}</h3>
      )}
      {fieldOf(name, field)}
    </Fragment>
  ));

  function fieldOf(name: string, field: FieldSchema) {
    const at = `${pointer}/${name}`;
    const label = field.title ?? humanize(name);
    const optional =
      schema.required?.includes(name) !== true && (field.default === undefined || field.default === "");
    const kept = stored.includes(name);
    const typed = draft[name];
    const text = typeof typed === "string" ? typed : "";
    const kind = kindOf(field);
    if (field.const !== undefined) return null;
    if (kind === "group") {
      return (
        <fieldset className="grid gap-4 rounded-md border border-line p-3 sm:grid-cols-2">
          <legend className="px-1 text-sm font-medium">
            {label} {optional ? <span className="text-xs font-normal text-ink-muted">optional</span> : null}
          </legend>
          {field.description ? (
            <p className="text-xs text-ink-muted sm:col-span-2">{field.description}</p>
          ) : null}
          <SchemaFields
            schema={field}
            draft={typeof typed === "object" ? typed : {}}
            onChange={(group) => set(name, group)}
            pointer={at}
            problems={problems}
            secret={secret}
          />
        </fieldset>
      );
    }
    if (kind === "switch") {
      return (
        <CheckboxField label={label} checked={typed === true} onChange={(on) => set(name, on)}>
          {field.description}
        </CheckboxField>
      );
    }
    const hint = kept ? (
      "Stored. Leave empty to keep it."
    ) : field.where ? (
      <>
        {field.description ? <span className="block">{field.description}.</span> : null}
        <span className="block">Where to find it: {field.where}</span>
      </>
    ) : (
      field.description
    );
    return (
      <Field
        label={label}
        optional={optional && !kept}
        hint={hint}
        className={kind === "multiline" || kind === "json" ? "sm:col-span-2" : undefined}
        error={problemAt(problems, at)}
      >
        {(control) => {
          if (kind === "choice") {
            const options = (field.enum ?? []).map((value) => ({
              value: String(value),
              label: field.choices?.[String(value)] ?? String(value),
            }));
            return (
              <Select
                {...control}
                value={text}
                onValueChange={(value) => set(name, value)}
                options={options}
              />
            );
          }
          if (kind === "multiline" || kind === "lines" || kind === "json") {
            return (
              <Textarea
                {...control}
                value={text}
                onChange={(event) => set(name, event.target.value)}
                rows={kind === "lines" ? 3 : 5}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-xs"
                placeholder={kind === "lines" ? "One per line" : undefined}
              />
            );
          }
          return (
            <Input
              {...control}
              value={text}
              onChange={(event) => set(name, event.target.value)}
              type={secret ? "password" : "text"}
              inputMode={kind === "number" ? "numeric" : undefined}
              autoComplete={secret ? "new-password" : "off"}
              spellCheck={false}
              placeholder={kept ? "••••••••" : undefined}
            />
          );
        }}
      </Field>
    );
  }
}

/** The complaint about a field or, where a control stands for a whole value, about something in it. */
export function problemAt(problems: Problems, pointer: string): string | undefined {
  const exact = problems.get(pointer);
  if (exact !== undefined) return exact;
  for (const [at, problem] of problems) if (at.startsWith(`${pointer}/`)) return problem;
  return undefined;
}
