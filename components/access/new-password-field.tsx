"use client";

import type { ComponentProps, ReactNode } from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import { passwordLength } from "../../server/access/vocabulary.ts";
import { Field } from "../ui/field.tsx";
import { FormField } from "../ui/form-fields.tsx";
import { Input } from "../ui/input.tsx";
import type { Bound } from "../ui/use-operation-form.ts";

const hint = `At least ${String(passwordLength.min)} characters. A few words are easier to remember than symbols.`;
const attributes = {
  type: "password",
  autoComplete: "new-password",
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  required: true,
} as const;

/** A password that somebody chooses, and what is asked of it. */
export function NewPasswordField({
  label = "Password",
  error,
  ...input
}: { label?: ReactNode; error: string | undefined } & Omit<ComponentProps<typeof Input>, "id">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} name="password" {...attributes} {...input} />}
    </Field>
  );
}

/** The same as a field of an operation's form. */
export function NewPasswordFormField<V extends FieldValues, N extends FieldPath<V>, I>({
  label,
  ...bound
}: Bound<V, N, I> & { label: ReactNode }) {
  return (
    <FormField {...bound} label={label} hint={hint}>
      {(ids, field) => <Input {...ids} {...attributes} {...field} />}
    </FormField>
  );
}
