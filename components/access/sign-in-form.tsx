"use client";

import { getProviders, signIn } from "next-auth/react";
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Link } from "../ui/link.tsx";
import { CodeField } from "./code-field.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { OrganisationField } from "./organisation-field.tsx";
import { safeTarget } from "./safe-target.ts";
import { ssoFailures } from "./sso-failures.ts";
import { SsoOffer } from "./sso-offer.tsx";
import { Form, type TypedText } from "../ui/form.tsx";

const wrongPassword = {
  title: "Wrong e-mail address or password",
  detail: "Check both and try again. After several failed attempts, you have to wait before the next one.",
};
const failures: Record<string, { title: string; detail: string }> = {
  ...ssoFailures,
  CredentialsSignin: wrongPassword,
  sign_in_failed: wrongPassword,
  SessionRequired: { title: "Please sign in", detail: "Your session has ended." },
  AccessDenied: {
    title: "No access",
    detail: "This account can't use the portal, or not for this organisation.",
  },
  passkey_failed: {
    title: "This passkey doesn't work",
    detail: "It was removed, or belongs to no account here. Sign in another way.",
  },
  second_factor_failed: {
    title: "Wrong code",
    detail: "Each code works once. Wait for the next one, or enter a recovery code.",
  },
  sign_in_way_not_allowed: {
    title: "Your organisation requires another way to sign in",
    detail: "Choose another way, or ask an administrator of your organisation.",
  },
  organisation_required: {
    title: "Enter the organisation",
    detail: "You have accounts in several organisations. Enter the one you want to sign in to.",
  },
  organisation_suspended: {
    title: "This organisation is suspended",
    detail: "Nobody can sign in for now. Contact your operator.",
  },
};
const unknownFailure = {
  title: "Sign-in failed",
  detail: "The service may be briefly unavailable. Try again in a moment.",
};

/** The identity provider that the operator has configured, if any. */
function useIdentityProvider(): { id: string; name: string } | null {
  const [provider, setProvider] = useState<{ id: string; name: string } | null>(null);
  useEffect(() => {
    let left = false;
    getProviders()
      .then((providers) => {
        const found = Object.values(providers ?? {}).find((each) => each.type !== "credentials");
        if (found && !left) setProvider({ id: found.id, name: found.name });
      })
      .catch(() => undefined);
    return () => {
      left = true;
    };
  }, []);
  return provider;
}

/** `sign_in_slowed:30` carries the seconds to wait. */
function failureOf(error: string): { title: string; detail: string } {
  const [code = "", seconds] = error.split(":");
  if (code === "sign_in_slowed" || code === "service_overloaded") {
    const wait = seconds === undefined || seconds === "1" ? "a second" : `${seconds} seconds`;
    return code === "sign_in_slowed"
      ? { title: "Too many attempts", detail: `Try again in ${wait}.` }
      : { title: "Too many people are signing in", detail: `Try again in ${wait}.` };
  }
  return failures[code] ?? unknownFailure;
}

type Given = { organisation?: string; email: string; password: string };

export function SignInForm({
  callbackUrl,
  initialError,
  organisation,
  passkeys,
}: {
  callbackUrl: string | undefined;
  initialError: string | undefined;
  /** Whether there are passkeys at the address of this installation. */
  passkeys: boolean;
  /** What the field of this name begins with; null: it is not asked for. */
  organisation: string | null;
}) {
  const [error, setError] = useState(initialError);
  const [pending, setPending] = useState(false);
  const [email, setEmail] = useState("");
  // Kept while the code is asked for: both go together.
  const [given, setGiven] = useState<Given | null>(null);
  const target = safeTarget(callbackUrl);
  const oidc = useIdentityProvider();

  async function submit(typed: TypedText) {
    const account = given ?? {
      ...(organisation === null ? {} : { organisation: typed("organisation") }),
      email: typed("email"),
      password: typed("password"),
    };
    setPending(true);
    setError(undefined);
    try {
      const result = await signIn("credentials", {
        ...account,
        ...(given ? { code: typed("code") } : {}),
        redirect: false,
      });
      if (result?.ok && !result.error) {
        // A full load: the server has to see the new session before anything is drawn.
        window.location.assign(target);
        return;
      }
      if (result?.error === "second_factor_required") setGiven(account);
      else {
        setError(result?.error ?? "unknown");
        // The password was changed in the meantime: from the beginning.
        if (result?.error === "sign_in_failed") setGiven(null);
      }
    } catch {
      setError("unknown");
    }
    setPending(false);
  }

  /** The organisation goes along: of several accounts for one address nobody but their owner can choose. */
  function leave(provider: string, form: HTMLFormElement | null) {
    const named = form ? new FormData(form).get("organisation") : null;
    void signIn(provider, { callbackUrl: target, ...(organisation === null ? {} : { organisation: named }) });
  }

  const failure = error ? failureOf(error) : null;

  if (given) {
    return (
      <Form key="code" method="post" onSubmit={submit} className="grid gap-4">
        {failure ? <FormError title={failure.title}>{failure.detail}</FormError> : null}
        <CodeField />
        <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1">
          Sign in
        </Button>
        <Button
          variant="ghost"
          className="justify-self-start"
          onClick={() => {
            setGiven(null);
            setError(undefined);
          }}
        >
          Back
        </Button>
      </Form>
    );
  }
  return (
    <Form key="password" method="post" onSubmit={submit} className="grid gap-4">
      {failure ? <FormError title={failure.title}>{failure.detail}</FormError> : null}
      {organisation === null ? null : <OrganisationField organisation={organisation} />}
      <Field label="E-mail">
        {(control) => (
          <Input
            {...control}
            name="email"
            // After the code was asked for, too.
            defaultValue={email}
            onChange={(event) => setEmail(event.target.value)}
            type="email"
            autoComplete="username webauthn"
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
      <SsoOffer email={email} target={target} onRefused={setError} />
      <Link
        href={
          organisation
            ? `/forgot-password?organisation=${encodeURIComponent(organisation)}`
            : "/forgot-password"
        }
        className="justify-self-start text-sm text-ink-muted underline underline-offset-2 hover:text-ink"
      >
        Forgot your password?
      </Link>
      <PasskeySignIn possible={passkeys} busy={pending} onFailure={setError} target={target} />
      {oidc ? (
        <>
          <div className="flex items-center gap-3 text-xs text-ink-faint" aria-hidden>
            <span className="h-px flex-1 bg-line" />
            or
            <span className="h-px flex-1 bg-line" />
          </div>
          <Button size="lg" onClick={(event) => leave(oidc.id, event.currentTarget.form)}>
            Continue with {oidc.name}
          </Button>
        </>
      ) : null}
    </Form>
  );
}
