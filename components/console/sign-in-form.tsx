"use client";

import { useState, type SubmitEvent } from "react";
import { postForm } from "../onboarding/post-form.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

const titles: Record<string, string> = {
  sign_in_failed: "E-mail address or password is wrong",
  sign_in_slowed: "Too many attempts",
};

/** Signs an operator in. */
export function ConsoleSignInForm() {
  const [pending, setPending] = useState(false);
  const [refused, setRefused] = useState<{ code: string; detail: string } | null>(null);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    const answer = await postForm("/console/api/sign-in", {
      email: form.get("email"),
      password: form.get("password"),
    });
    if ("done" in answer) {
      // A full load: the server has to see the new session before anything is drawn.
      window.location.assign("/console/organisations");
      return;
    }
    setPending(false);
    setRefused(answer.refused);
  }

  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="grid gap-4">
      {refused ? (
        <FormError title={titles[refused.code] ?? "Signing in did not work"}>
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
    </form>
  );
}
