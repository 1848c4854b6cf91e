"use client";

import { signIn } from "next-auth/react";
import { useEffect, useState, type SubmitEvent } from "react";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** As server/trpc/invitation.ts answers. */
type Invitation = {
  organisation: { slug: string; name: string };
  email: string;
  name: string;
  invitedBy: string;
  roles: { name: string; unit: string | null }[];
  hasAccount: boolean;
};
type Failure = { status: number; detail: string; errors: { pointer: string; detail: string }[] };

class Refused extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

const unavailable: Failure = {
  status: 503,
  detail: "The service cannot be reached at this moment. Try again.",
  errors: [],
};

async function ask<Answer>(body: unknown): Promise<Answer> {
  const response = await fetch("/api/invitation", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  const answer: unknown = await response?.json().catch(() => null);
  if (response?.ok) return answer as Answer;
  throw new Refused(response && answer ? (answer as Failure) : unavailable);
}

/** Shows what an invitation is for and takes it up: with a new name and password, or with the account that there is. */
export function AcceptInvitation() {
  const [token, setToken] = useState<string | null>(null);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  useEffect(() => {
    const read = () => {
      const given = window.location.hash.slice(1);
      setToken(given);
      setInvitation(null);
      setFailure(null);
      ask<Invitation>({ token: given })
        .then(setInvitation)
        .catch((error: unknown) => setFailure(error instanceof Refused ? error.failure : unavailable));
    };
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);

  if (failure) {
    return (
      <>
        <h1 className="mb-4 text-2xl font-semibold tracking-[-0.02em]">Invitation</h1>
        <FormError title={failure.status === 404 ? "This invitation does not work" : "That did not work"}>
          {failure.detail}
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
  const { organisation, email, hasAccount } = invitation;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const complaint = (field: string) =>
    failure?.errors.find(({ pointer }) => pointer === `/accept/${field}`)?.detail;

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === "string" ? value : "";
    };
    const password = text("password");
    setPending(true);
    setFailure(null);
    try {
      await ask({ token, accept: { password, ...(hasAccount ? {} : { name: text("name") }) } });
    } catch (error) {
      setFailure(error instanceof Refused ? error.failure : unavailable);
      setPending(false);
      return;
    }
    const result = await signIn("credentials", {
      organisation: organisation.slug,
      email,
      password,
      redirect: false,
    }).catch(() => undefined);
    // A full load: the server has to see the new session before anything is drawn. It was accepted either way.
    window.location.assign(
      result?.ok && !result.error
        ? `/${organisation.slug}/overview`
        : `/sign-in?organisation=${organisation.slug}`,
    );
  }

  return (
    <>
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
      <form method="post" onSubmit={(event) => void submit(event)} className="grid gap-4">
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
        <Field
          label={hasAccount ? `Your password for ${organisation.name}` : "New password"}
          hint={
            hasAccount
              ? "You have an account there already: with its password you get the new roles."
              : "At least twelve characters; a few words are easier than symbols."
          }
          error={complaint("password")}
        >
          {(control) => (
            <Input
              {...control}
              name="password"
              type="password"
              autoComplete={hasAccount ? "current-password" : "new-password"}
              minLength={hasAccount ? 1 : 12}
              required
              autoFocus
              className="h-10 sm:text-base"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1">
          {hasAccount ? "Accept" : `Join ${organisation.name}`}
        </Button>
      </form>
    </>
  );
}
