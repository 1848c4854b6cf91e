"use client";

import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { problemAt } from "./schema-fields.tsx";
import type { Problems } from "./schema-fields.tsx";

/** Example response as it is typed. */
export interface TypedAnswer {
  status: string;
  headers: string;
  body: string;
}

export const noAnswer: TypedAnswer = { status: "", headers: "", body: "" };

/** As it is sent; nothing when none was typed. */
export function answerOf({ status, headers, body }: TypedAnswer) {
  if (status.trim() === "" && headers.trim() === "" && body.trim() === "") return undefined;
  return { status: status.trim() === "" ? 200 : Number(status), headers, body };
}

/** Asks for an answer of the provider, so that the test can say how it would be judged. */
export function ExampleAnswer({
  answer,
  onChange,
  problems,
}: {
  answer: TypedAnswer;
  onChange: (answer: TypedAnswer) => void;
  problems: Problems;
}) {
  const set = (name: keyof TypedAnswer) => (event: { target: { value: string } }) =>
    onChange({ ...answer, [name]: event.target.value });
  return (
    <fieldset className="grid gap-4 rounded-md border border-line p-3 sm:grid-cols-2">
      <legend className="px-1 text-sm font-medium">
        Example response <span className="text-xs font-normal text-ink-muted">optional</span>
      </legend>
      <p className="text-xs text-ink-muted sm:col-span-2">
        From its documentation or a real call, including errors. The test shows whether a message with this
        response counts as sent. Not stored.
      </p>
      <Field
        label="Status"
        optional
        hint="Leave empty for 200."
        error={problemAt(problems, "/answer/status")}
      >
        {(control) => (
          <Input
            {...control}
            value={answer.status}
            onChange={set("status")}
            inputMode="numeric"
            autoComplete="off"
            placeholder="200"
          />
        )}
      </Field>
      <Field
        label="Headers"
        optional
        hint="One per line: Name: value."
        error={problemAt(problems, "/answer/headers")}
      >
        {(control) => (
          <Textarea
            {...control}
            value={answer.headers}
            onChange={set("headers")}
            rows={2}
            spellCheck={false}
            className="font-mono text-xs"
          />
        )}
      </Field>
      <Field
        label="Body"
        optional
        className="sm:col-span-2"
        error={problemAt(problems, "/answer/body") ?? problemAt(problems, "/answer")}
      >
        {(control) => (
          <Textarea
            {...control}
            value={answer.body}
            onChange={set("body")}
            rows={4}
            spellCheck={false}
            className="font-mono text-xs"
          />
        )}
      </Field>
    </fieldset>
  );
}
