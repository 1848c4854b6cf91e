"use client";

import { useEffect, useState } from "react";
import type { BrandMark } from "../../server/workspace/vocabulary.ts";
import { OrganisationMark, SupportLink, brandedButton } from "../layout/organisation-mark.tsx";
import { postForm, type FormAnswer, type FormRefusal } from "../onboarding/post-form.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { enterPortal } from "./enter-portal.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { Form, type TypedText } from "../ui/form.tsx";

/** As /api/invitation answers. */
type Invitation = {
  organisation: { slug: string; name: string };
  email: string;
  name: string;
  invitedBy: string;
  roles: { name: string; unit: string | null }[];
  hasAccount: boolean;
  brand: BrandMark & { support: string | null };
};

const ask = (body: object): Promise<FormAnswer<Invitation>> => postForm("/api/invitation", body);

/** Shows what an invitation is for and takes it up: with a new name and password, or with the account that there is. */
export function AcceptInvitation() {
  const [token, setToken] = useState<string | null>(null);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [failure, setFailure] = useState<FormRefusal | null>(null);

  useEffect(() => {
    const read = () => {
      const given = window.location.hash.slice(1);
      setToken(given);
      setInvitation(null);
      setFailure(null);
      void ask({ token: given }).then((answer) => {
        if ("done" in answer) setInvitation(answer.done);
        else setFailure(answer.refused);
      });
    };
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);

  if (failure) {
    return (
      <>
        <h1 className="mb-4 text-2xl font-semibold tracking-[-0.02em]">Invitation</h1>
        <FormError
          title={
            failure.code === "not_found"
              ? "This invitation is no longer valid"
              : "The invitation was not accepted"
          }
        >
          {failure.code === "not_found" ? "Ask whoever invited you for a new one." : failure.detail}
        </FormError>
      </>
    );
  }
  if (!invitation || token === null) {
    return (
      <div className="grid gap-3" aria-busy>
        <Skeleton className="h-8 w-56" />
        <Skeleton className="w-72" />
        <Skeleton className="h-10 w-full" />
        <Skeleton className="h-10 w-full" />
      </div>
    );
  }
  return <AcceptForm token={token} invitation={invitation} />;
}

function AcceptForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const { organisation, email, hasAccount, brand } = invitation;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<FormRefusal | null>(null);
  const complaint = (field: string) => failure?.fields[`accept/${field}`];

  async function submit(typed: TypedText) {
    const password = typed("password");
    setPending(true);
    setFailure(null);
    const answer = await ask({ token, accept: { password, ...(hasAccount ? {} : { name: typed("name") }) } });
    if ("done" in answer) {
      await enterPortal({ organisation: organisation.slug, email, password });
      return;
    }
    setFailure(answer.refused);
    setPending(false);
  }

  return (
    <>
      {brand.logo === null && brand.accent === null ? null : (
        <div className="mb-4">
          <OrganisationMark name={organisation.name} brand={brand} size="large" />
        </div>
      )}
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">Join {organisation.name}</h1>
      <p className="mt-1 text-ink-muted">{invitation.invitedBy} invites you, with these roles:</p>
      <ul className="mt-2 mb-6 list-disc pl-5 text-sm">
        {invitation.roles.map((role) => (
          <li key={`${role.name} ${role.unit ?? ""}`}>
            <span className="font-medium">{role.name}</span>
            {role.unit === null ? " in the whole organisation" : ` in ${role.unit}`}
          </li>
        ))}
      </ul>
      <Form refused={failure} method="post" onSubmit={submit} className="grid gap-4">
        {failure && !complaint("password") && !complaint("name") ? (
          <FormError title={failure.detail} />
        ) : null}
        <Field label="E-mail">
          {(control) => (
            <Input
              {...control}
              value={email}
              readOnly
              type="email"
              autoComplete="username"
              className="h-10 sm:text-base"
            />
          )}
        </Field>
        {hasAccount ? null : (
          <Field label="Your name" error={complaint("name")}>
            {(control) => (
              <Input
                {...control}
                name="name"
                defaultValue={invitation.name}
                autoComplete="name"
                maxLength={120}
                required
                className="h-10 sm:text-base"
              />
            )}
          </Field>
        )}
        {hasAccount ? (
          <Field
            label={`Your password for ${organisation.name}`}
            hint="You already have an account there. Enter its password to accept the new roles."
            error={complaint("password")}
          >
            {(control) => (
              <Input
                {...control}
                name="password"
                type="password"
                autoComplete="current-password"
                required
                autoFocus
                className="h-10 sm:text-base"
              />
            )}
          </Field>
        ) : (
          <NewPasswordField
            label="New password"
            error={complaint("password")}
            autoFocus
            className="h-10 sm:text-base"
          />
        )}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          pending={pending}
          className="mt-1"
          style={brandedButton(brand)}
        >
          {hasAccount ? "Accept" : `Join ${organisation.name}`}
        </Button>
        {brand.support === null ? null : (
          <p className="text-sm text-ink-muted">
            Questions? <SupportLink support={brand.support} />
          </p>
        )}
      </Form>
    </>
  );
}
