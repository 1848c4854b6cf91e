"use client";

import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import type { DraftMetadata } from "../draft.ts";
import type { FieldProblems } from "./validate-draft.ts";

export type DetailsProps = {
  metadata: DraftMetadata;
  problems: FieldProblems;
  onChange: (next: DraftMetadata) => void;
};

/** One member of the metadata that is a text. */
export function TextField({
  label,
  hint,
  name,
  placeholder,
  metadata,
  problems,
  onChange,
}: DetailsProps & { label: string; hint?: string; name: string; placeholder?: string }) {
  return (
    <Field label={label} hint={hint} error={problems[`/metadata/${name}`]} optional>
      {(control) => (
        <Input
          {...control}
          value={textOf(metadata[name])}
          placeholder={placeholder}
          onChange={(event) => onChange({ ...metadata, [name]: event.target.value })}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

/** Several entries of the same kind, each with its own fields. */
export function ListField<T>({
  label,
  hint,
  addLabel,
  items,
  max,
  empty,
  problem,
  onChange,
  itemLabel,
  children,
}: {
  label: string;
  hint?: string;
  addLabel: string;
  items: readonly T[];
  max: number;
  empty: T;
  problem?: string | undefined;
  onChange: (items: T[]) => void;
  itemLabel: (index: number) => string;
  children: (item: T, change: (next: T) => void, index: number) => ReactNode;
}) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint ? <p className="text-xs text-ink-muted">{hint}</p> : null}
      {items.map((item, index) => (
        <div
          key={index}
          role="group"
          aria-label={itemLabel(index)}
          className="grid min-w-0 grid-cols-1 gap-2.5 rounded-md border border-line bg-canvas p-2.5"
        >
          <div className="flex items-center justify-between text-xs text-ink-muted">
            {itemLabel(index)}
            <Button
              variant="ghost"
              size="iconSm"
              aria-label={`Remove ${itemLabel(index).toLowerCase()}`}
              onClick={() => onChange(items.filter((_, at) => at !== index))}
            >
              <X aria-hidden />
            </Button>
          </div>
          {children(item, (next) => onChange(items.map((each, at) => (at === index ? next : each))), index)}
        </div>
      ))}
      {problem ? <p className="text-xs text-danger-text">{problem}</p> : null}
      {items.length < max ? (
        <div>
          <Button size="sm" onClick={() => onChange([...items, empty])}>
            <Plus aria-hidden /> {addLabel}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

/** Metadata is a plain object: what is stored may be of an older shape. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
