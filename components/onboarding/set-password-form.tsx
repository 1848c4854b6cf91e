"use client";

import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { NewPasswordField } from "../access/new-password-field.tsx";
import { FormError } from "../ui/field.tsx";
import { Link } from "../ui/link.tsx";
import { postForm, type FormAnswer, type FormRefusal } from "./post-form.ts";
import { useToken } from "./use-token.ts";
import { Form, type TypedText } from "../ui/form.tsx";

/** Chooses a password with a link. */
export function SetPasswordForm() {
  const token = useToken();
  const [pending, setPending] = useState(false);
  const [refused, setRefused] = useState<FormRefusal | null>(null);
  const over = token === "" || refused?.code === "not_found";

  async function submit(typed: TypedText) {
    setPending(true);
    const answer: FormAnswer<{ organisation: string }> = await postForm("/api/set-password", {
      token,
      password: typed("password"),
    });
    if ("done" in answer) {
      window.location.assign(`/sign-in?organisation=${encodeURIComponent(answer.done.organisation)}`);
      return;
    }
    setPending(false);
    setRefused(answer.refused);
  }

  if (token === null) return null;
  if (over) {
    return (
      <FormError title="This link is no longer valid">
        It was already used, has expired or was not copied completely.{" "}
        <Link href="/forgot-password" className="font-medium underline underline-offset-2">
          Get a new link
        </Link>
        .
      </FormError>
    );
  }
  return (
    <Form refused={refused} onSubmit={submit} className="grid gap-4">
      {refused && !refused.fields.password ? (
        <FormError title="The password was not saved">{refused.detail}</FormError>
      ) : null}
      <NewPasswordField error={refused?.fields.password} autoFocus className="h-10 sm:text-base" />
      <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1">
        Set password
      </Button>
    </Form>
  );
}
