"use client";

import type { ReactNode } from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import { TextField } from "../ui/form-fields.tsx";
import type { Bound } from "../ui/use-operation-form.ts";
import { PlaceField } from "../ui/place-input.tsx";

/** What people call a part of the organisation: the first field of its form. */
export function NameField<V extends FieldValues, N extends FieldPath<V>, I>(bound: Bound<V, N, I>) {
  return <TextField {...bound} label="Name" maxLength={120} required autoFocus autoComplete="off" />;
}

/** What requests and addresses call it. */
export function ShortNameField<V extends FieldValues, N extends FieldPath<V>, I>({
  label = "Short name",
  hint = "Used in addresses and the API. Leave empty to derive it from the name. Can't be changed later.",
  maxLength = 40,
  ...bound
}: Bound<V, N, I> & { label?: string; hint?: ReactNode; maxLength?: number }) {
  return (
    <TextField
      {...bound}
      label={label}
      hint={hint}
      optional
      maxLength={maxLength}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

/** Whose numbers need no prefix, and the language of requests that name none. */
export function PlaceFields<V extends FieldValues, C extends FieldPath<V>, L extends FieldPath<V>, I>({
  country,
  language,
}: {
  country: Bound<V, C, I>;
  language: Bound<V, L, I>;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <PlaceField {...country} kind="region" label="Country" hint="For numbers without a country code" />
      <PlaceField {...language} kind="language" label="Language" hint="Used if a request has none" />
    </div>
  );
}
