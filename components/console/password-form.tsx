"use client";

import { useState } from "react";
import { postForm, type FormRefusal } from "../onboarding/post-form.ts";
import { useToken } from "../onboarding/use-token.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Form, type TypedText } from "../ui/form.tsx";

/** Chooses an operator's password with a link. */
export function ConsolePasswordForm() {
  const token = useToken();
  const [pending, setPending] = useState(false);
  const [refused, setRefused] = useState<FormRefusal | null>(null);

  async function submit(typed: TypedText) {
    setPending(true);
    const answer = await postForm("/console/api/set-password", { token, password: typed("password") });
    if ("done" in answer) {
      window.location.assign("/console/sign-in");
      return;
    }
    setPending(false);
    setRefused(answer.refused);
  }

  if (token === null) return null;
  if (token === "" || refused?.code === "not_found") {
    return (
      <FormError title="This link is no longer valid">
        It was already used, has expired or was not copied completely. Create a new one with npm run operator
        -- link.
      </FormError>
    );
  }
  return (
    <Form refused={refused} onSubmit={submit} className="grid gap-4">
      {refused && !refused.fields.password ? (
        <FormError title="The password was not saved">{refused.detail}</FormError>
      ) : null}
      <Field
        label="Password"
        hint="At least twelve characters. A few words are easier to remember than symbols."
        error={refused?.fields.password}
      >
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={12}
            required
            autoFocus
            className="h-10 sm:text-base"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1">
        Set password
      </Button>
    </Form>
  );
}
