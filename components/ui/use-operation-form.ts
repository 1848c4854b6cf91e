"use client";

import { toNestErrors } from "@hookform/resolvers";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState, type BaseSyntheticEvent } from "react";
import {
  useForm,
  type Control,
  type DefaultValues,
  type FieldError,
  type FieldPath,
  type FieldValues,
  type Path,
  type Resolver,
} from "react-hook-form";
import type { z } from "zod";
import { fieldProblems } from "../trpc/error-text.ts";
import { placeComplaints } from "./place-complaints.ts";
import { plainIssue } from "./plain-issue.ts";
import { numberComplaint, readNumber } from "./typed-number.ts";

/** Why a form was not taken, as far as no field shows it. */
export type Refusal = {
  /** What the service answered; undefined: the form was not sent. */
  error: unknown;
  /** Complaints about what has no field. */
  problems: readonly string[];
};

/** Where a field's value lives. */
export type Bound<Values extends FieldValues, Name extends FieldPath<Values>, Input> = {
  control: Control<Values, unknown, Input>;
  name: Name;
};

/**
 * The form of an operation. `input` makes of what was typed what the operation takes, under the same names; its schema
 * judges that before `send` sends it. What the schema or the service complains of stands at the field of that name, and the
 * first of these gets the focus; what has no field on the page is in `refusal`. What was typed stays.
 */
export function useOperationForm<Values extends FieldValues, Schema extends z.ZodType<unknown, FieldValues>>({
  schema,
  defaultValues,
  input,
  send,
  shownAt = {},
  decimals = [],
}: {
  schema: Schema;
  defaultValues: Values;
  input: (values: Values) => z.input<Schema>;
  send: (input: z.input<Schema>) => Promise<unknown>;
  /** The field for complaints about something of another name: by its name, or told by its path, such as `addresses.0.address`. */
  shownAt?:
    | Readonly<Record<string, FieldPath<Values>>>
    | ((path: string, values: Values) => FieldPath<Values> | undefined);
  /** Fields for numbers with decimals: `input` gets them with a point, and what may mean two numbers is refused. */
  decimals?: readonly (keyof Values & string)[];
}) {
  type Input = z.input<Schema>;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const judge = zodResolver(schema, { error: plainIssue }, { raw: true }) as unknown as Resolver<
    Values,
    unknown,
    Input
  >;
  const form = useForm<Values, unknown, Input>({
    defaultValues: defaultValues as DefaultValues<Values>,
    resolver: async (values, context, options) => {
      const { read, complaints } = readDecimals(values, decimals);
      const judged = await judge(input(read) as unknown as Values, context, options);
      if (Object.keys(complaints).length === 0) return judged;
      return { values: {}, errors: { ...judged.errors, ...toNestErrors<Values>(complaints, options) } };
    },
  });

  const place = (complaints: readonly (readonly [string, string])[], event: BaseSyntheticEvent | undefined) =>
    placeComplaints(
      complaints,
      typeof shownAt === "function" ? (path) => shownAt(path, form.getValues()) : shownAt,
      (name) => hasField(event, name),
    );
  function show(atFields: ReadonlyMap<string, string>, focus = true): void {
    for (const [index, [name, message]] of [...atFields].entries())
      form.setError(name as Path<Values>, { message }, { shouldFocus: focus && index === 0 });
  }

  const submit = form.handleSubmit(
    async (made, event) => {
      setRefusal(null);
      try {
        await send(made);
      } catch (error) {
        const told = fieldProblems(error).map(({ pointer, detail }) => [pathOf(pointer), detail] as const);
        const { atFields, others } = place(told, event);
        show(atFields);
        if (atFields.size === 0 || others.length > 0)
          setRefusal({ error, problems: others.map(([, detail]) => detail) });
      }
    },
    (errors, event) => {
      // What has a field of its own stands there already, and the first of these has the focus.
      const own = complaints(errors);
      const homeless = own.filter(([name]) => !hasField(event, name));
      const { atFields, others } = place(homeless, event);
      show(atFields, homeless.length === own.length);
      const problems = others.map(([name, message]) => `${name}: ${message}`);
      setRefusal(problems.length > 0 ? { error: undefined, problems } : null);
    },
  );

  return {
    ...form,
    submit,
    refusal,
    pending: form.formState.isSubmitting,
    /** For the fields of form-fields.tsx. */
    field: <Name extends FieldPath<Values>>(name: Name): Bound<Values, Name, Input> => ({
      control: form.control,
      name,
    }),
  };
}

/** The values with these fields read as numbers, and what is wrong with those that are not clear. */
function readDecimals<Values extends FieldValues>(values: Values, names: readonly (keyof Values & string)[]) {
  const read: Values = { ...values };
  const complaints: Record<string, FieldError> = {};
  for (const name of names) {
    const typed: string = values[name];
    const number = readNumber(typed);
    if (number === undefined) complaints[name] = { type: "number", message: numberComplaint(typed) };
    else read[name] = number as Values[typeof name];
  }
  return { read, complaints };
}

/** `/addresses/0/address` as fields are named: `addresses.0.address`. */
const pathOf = (pointer: string) => pointer.slice(1).replaceAll("/", ".");

/** What is wrong, each under the whole name of its field: `agent.recipients`. */
function complaints(errors: object, within = ""): (readonly [name: string, message: string])[] {
  return Object.entries(errors as Record<string, unknown>).flatMap(([name, error]) => {
    if (typeof error !== "object" || error === null) return [];
    if ("message" in error && typeof error.message === "string") return [[within + name, error.message]];
    return complaints(error, `${within}${name}.`);
  });
}

/** A form as what is around its fields sees it. */
export type SubmittedForm = {
  submit: (event?: BaseSyntheticEvent) => Promise<unknown>;
  refusal: Refusal | null;
  pending: boolean;
};

/** Whether the form that is submitted shows a field of this name now. */
function hasField(event: BaseSyntheticEvent | undefined, name: string): boolean {
  const form: unknown = event?.target;
  return form instanceof Element && form.querySelector(`[data-field="${CSS.escape(name)}"]`) !== null;
}
