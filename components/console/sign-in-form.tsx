"use client";

import { useState } from "react";
import { CodeField } from "../access/code-field.tsx";
import { postForm } from "../onboarding/post-form.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Form, type TypedText } from "../ui/form.tsx";

const titles: Record<string, string> = {
  sign_in_failed: "Wrong e-mail address or password",
  sign_in_slowed: "Too many attempts",
  second_factor_failed: "Wrong code",
};

/** Signs an operator in: the password, then the code of whoever has a second factor. */
export function ConsoleSignInForm() {
  const [pending, setPending] = useState(false);
  // Kept while the code is asked for: both go together.
  const [given, setGiven] = useState<{ email: string; password: string } | null>(null);
  const [refused, setRefused] = useState<{ code: string; detail: string } | null>(null);

  async function submit(typed: TypedText) {
    const account = given ?? { email: typed("email"), password: typed("password") };
    setPending(true);
    const answer = await postForm("/console/api/sign-in", {
      ...account,
      ...(given ? { code: typed("code") } : {}),
    });
    if ("done" in answer) {
      // A full load: the server has to see the new session before anything is drawn.
      window.location.assign("/console/organisations");
      return;
    }
    setPending(false);
    if (answer.refused.code === "second_factor_required") {
      setGiven(account);
      setRefused(null);
      return;
    }
    // The password was changed in the meantime: from the beginning.
    if (answer.refused.code === "sign_in_failed") setGiven(null);
    setRefused(answer.refused);
  }

  if (given) {
    return (
      <Form key="code" method="post" onSubmit={submit} className="grid gap-4">
        {refused ? (
          <FormError title={titles[refused.code] ?? "Sign-in failed"}>{refused.detail}</FormError>
        ) : null}
        <CodeField />
        <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1">
          Sign in
        </Button>
        <Button
          variant="ghost"
          className="justify-self-start"
          onClick={() => {
            setGiven(null);
            setRefused(null);
          }}
        >
          Back
        </Button>
      </Form>
    );
  }
  return (
    <Form key="password" method="post" onSubmit={submit} className="grid gap-4">
      {refused ? (
        <FormError title={titles[refused.code] ?? "Sign-in failed"}>
          {refused.code === "sign_in_failed" ? null : refused.detail}
        </FormError>
      ) : null}
      <Field label="E-mail">
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            required
            autoFocus
            className="h-10 sm:text-base"
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            className="h-10 sm:text-base"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1">
        Sign in
      </Button>
    </Form>
  );
}
