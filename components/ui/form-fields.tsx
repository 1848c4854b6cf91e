"use client";

import type { ComponentProps, ReactNode } from "react";
import { useController, type ControllerRenderProps, type FieldPath, type FieldValues } from "react-hook-form";
import { errorText } from "../trpc/error-text.ts";
import { Field, FormError, type FieldControl } from "./field.tsx";
import { checkFields } from "./form-complaints.ts";
import { Input } from "./input.tsx";
import { Select } from "./select.tsx";
import { Textarea } from "./textarea.tsx";
import type { Bound, Refusal } from "./use-operation-form.ts";

type Labels = { label: ReactNode; hint?: ReactNode; optional?: boolean; className?: string };
type FieldProps<V extends FieldValues, N extends FieldPath<V>, I, Control> = Bound<V, N, I> &
  Labels &
  Omit<Control, keyof Labels | "name" | "value" | "defaultValue" | "onChange" | "onValueChange" | "id">;

/** A field of a form, with any control. */
export function FormField<V extends FieldValues, N extends FieldPath<V>, I>({
  control,
  name,
  children,
  ...labels
}: Bound<V, N, I> &
  Labels & { children: (ids: FieldControl, field: ControllerRenderProps<V, N>) => ReactNode }) {
  const { field, fieldState } = useController({ control, name });
  return (
    <Field {...labels} name={name} error={fieldState.error?.message}>
      {(ids) => children(ids, field)}
    </Field>
  );
}

/** One line of text. `clean`: what becomes of what is typed, at once. */
export function TextField<V extends FieldValues, N extends FieldPath<V>, I>({
  control,
  name,
  label,
  hint,
  optional,
  className,
  clean = (typed) => typed,
  ...props
}: FieldProps<V, N, I, ComponentProps<"input">> & { clean?: (typed: string) => string }) {
  return (
    <FormField {...{ control, name, label, hint, optional, className }}>
      {(ids, field) => (
        <Input
          {...ids}
          {...props}
          {...field}
          onChange={(event) => field.onChange(clean(event.target.value))}
        />
      )}
    </FormField>
  );
}

/** Several lines of text. */
export function TextareaField<V extends FieldValues, N extends FieldPath<V>, I>({
  control,
  name,
  label,
  hint,
  optional,
  className,
  inputClassName,
  ...props
}: FieldProps<V, N, I, ComponentProps<"textarea">> & { inputClassName?: string }) {
  return (
    <FormField {...{ control, name, label, hint, optional, className }}>
      {(ids, field) => <Textarea {...ids} {...props} {...field} className={inputClassName} />}
    </FormField>
  );
}

/** A single choice. */
export function SelectField<V extends FieldValues, N extends FieldPath<V>, I>({
  control,
  name,
  label,
  hint,
  optional,
  className,
  ...props
}: FieldProps<V, N, I, ComponentProps<typeof Select>>) {
  return (
    <FormField {...{ control, name, label, hint, optional, className }}>
      {(ids, field) => (
        <Select {...props} {...ids} ref={field.ref} value={field.value} onValueChange={field.onChange} />
      )}
    </FormField>
  );
}

/** Why a form was not taken, where no field shows it. */
export function FormRefusal({ refusal }: { refusal: Refusal }) {
  const title = refusal.error === undefined ? checkFields : errorText(refusal.error);
  const problems = refusal.problems.filter((problem) => problem !== title);
  return (
    <FormError title={title}>
      {problems.length > 0 ? problems.map((problem) => <p key={problem}>{problem}</p>) : null}
    </FormError>
  );
}
