"use client";

import { useState } from "react";
import { postForm, type FormAnswer, type FormRefusal } from "../onboarding/post-form.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Link } from "../ui/link.tsx";
import { OrganisationField } from "./organisation-field.tsx";
import { Form, type TypedText } from "../ui/form.tsx";

/** Asks for a link with which one chooses a new password. What it answers is the same for every address. */
export function ForgotPasswordForm({ organisation }: { organisation: string | null }) {
  const [pending, setPending] = useState(false);
  const [refused, setRefused] = useState<FormRefusal | null>(null);
  const [asked, setAsked] = useState(false);
  /** As it was asked with: to be corrected. */
  const [address, setAddress] = useState("");

  async function submit(typed: TypedText) {
    const email = typed("email").trim();
    setPending(true);
    const answer: FormAnswer<{ asked: true }> = await postForm("/api/forgot-password", {
      organisation: organisation === null ? null : typed("organisation"),
      email,
    });
    setPending(false);
    if ("done" in answer) {
      setAsked(true);
      setAddress(email);
      setRefused(null);
    } else {
      setRefused(answer.refused);
    }
  }

  const back = (
    <Link href="/sign-in" className="justify-self-start text-sm font-medium underline underline-offset-2">
      Back to sign in
    </Link>
  );
  if (asked) {
    return (
      <div role="status" className="grid gap-4">
        <p>
          If <strong className="font-semibold break-all">{address}</strong> has an account, a link is on its
          way to it. The link works once and expires in an hour.
        </p>
        <div>
          <h2 className="text-sm font-medium">Nothing in your inbox?</h2>
          <ul className="mt-1 list-disc pl-5 text-sm text-ink-muted">
            <li>Give it a few minutes and check your spam folder.</li>
            <li>
              Check the address
              {organisation === null ? "" : " and the organisation"}, then{" "}
              <button
                type="button"
                className="font-medium text-ink underline underline-offset-2"
                onClick={() => setAsked(false)}
              >
                ask again
              </button>
              .
            </li>
            <li>If your organisation doesn't send e-mail, ask your operator for a link.</li>
          </ul>
        </div>
        {back}
      </div>
    );
  }
  return (
    <Form method="post" onSubmit={submit} className="grid gap-4">
      {refused && !refused.fields.email ? (
        <FormError title="Nothing was sent">{refused.detail}</FormError>
      ) : null}
      {organisation === null ? null : <OrganisationField organisation={organisation} />}
      <Field label="E-mail" error={refused?.fields.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            defaultValue={address}
            type="email"
            autoComplete="username"
            inputMode="email"
            maxLength={254}
            required
            autoFocus
            className="h-10 sm:text-base"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1">
        Send link
      </Button>
      {back}
    </Form>
  );
}
