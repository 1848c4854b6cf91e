"use client";

import { CircleAlert } from "lucide-react";
import { useId, type ReactNode } from "react";
import { useController, type FieldPath, type FieldValues } from "react-hook-form";
import { Checkbox } from "../ui/checkbox.tsx";
import type { Bound } from "../ui/use-operation-form.ts";

/** Any number of a few choices, in a form. */
export function ChoicesField<V extends FieldValues, N extends FieldPath<V>, I>({
  control,
  name,
  label,
  hint,
  options,
}: Bound<V, N, I> & {
  label: string;
  hint?: ReactNode;
  options: readonly { value: string; label: ReactNode }[];
}) {
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const chosen: readonly string[] = field.value;
  return (
    <fieldset data-field={name} aria-describedby={`${id}-hint`} className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {options.map(({ value, label: text }, index) => (
          <div key={value} className="flex items-center gap-2">
            <Checkbox
              id={`${id}-${value}`}
              ref={index === 0 ? field.ref : undefined}
              checked={chosen.includes(value)}
              onCheckedChange={() =>
                field.onChange(
                  options
                    .map((option) => option.value)
                    .filter((each) => (each === value ? !chosen.includes(each) : chosen.includes(each))),
                )
              }
            />
            <label htmlFor={`${id}-${value}`} className="text-sm">
              {text}
            </label>
          </div>
        ))}
      </div>
      <div id={`${id}-hint`}>
        {hint ? <p className="mt-1.5 text-xs text-ink-muted">{hint}</p> : null}
        {fieldState.error ? (
          <p className="mt-1.5 flex items-start gap-1 text-xs text-danger-text">
            <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            <span>{fieldState.error.message}</span>
          </p>
        ) : null}
      </div>
    </fieldset>
  );
}
