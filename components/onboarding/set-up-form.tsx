"use client";

import { useState } from "react";
import type { SetUpDone } from "../../server/onboarding/schemas.ts";
import { dataRegions } from "../../server/tenancy/vocabulary.ts";
import { enterPortal } from "../access/enter-portal.ts";
import { NewPasswordField } from "../access/new-password-field.tsx";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { slugOf } from "../ui/slug-of.ts";
import { PlaceInput } from "../ui/place-input.tsx";
import { postForm, type FormAnswer, type FormRefusal } from "./post-form.ts";
import { PublicPage } from "./public-page.tsx";
import { useToken } from "./use-token.ts";
import { Form, type TypedText } from "../ui/form.tsx";

const languages = [
  { value: "en", label: "English" },
  { value: "de", label: "German" },
] as const;

/** The page that makes the first organisation of an installation. */
export function SetUpForm() {
  const token = useToken();
  const [name, setName] = useState("");
  const [typedSlug, setTypedSlug] = useState<string | null>(null);
  const [dataRegion, setDataRegion] = useState("EU");
  const [country, setCountry] = useState("DE");
  const [language, setLanguage] = useState("en");
  const [pending, setPending] = useState(false);
  const [refused, setRefused] = useState<FormRefusal | null>(null);
  const [done, setDone] = useState<{ facts: SetUpDone; password: string } | null>(null);
  const wrong = refused?.fields ?? {};

  async function submit(typed: TypedText) {
    setPending(true);
    const password = typed("password");
    const answer: FormAnswer<SetUpDone> = await postForm("/api/set-up", {
      token: typed("token").trim() || token,
      name,
      slug: typedSlug ?? slugOf(name),
      dataRegion,
      country,
      language,
      ownerName: typed("ownerName"),
      email: typed("email"),
      password,
    });
    setPending(false);
    if ("done" in answer) setDone({ facts: answer.done, password });
    else setRefused(answer.refused);
  }

  if (done) {
    return (
      <PublicPage
        title={`${name.trim()} is set up`}
        description="You can send in its sandbox right away, with this key or in the portal."
      >
        <SetUpResult {...done} />
      </PublicPage>
    );
  }
  // The form is not drawn before it is known whether the address has brought the token along.
  const form =
    token === null ? null : (
      <Form refused={refused} onSubmit={submit} className="grid gap-5">
        {refused ? (
          <FormError
            title={Object.keys(wrong).length > 0 ? "Not set up yet" : "The organisation was not set up"}
          >
            {wrong.token ?? refused.detail}
          </FormError>
        ) : null}
        {token === "" || wrong.token ? (
          <Field
            label="Set-up token"
            hint="The part after the # of the address in the web process's log, or printed by npm run tenant -- set-up."
            error={wrong.token}
          >
            {(control) => (
              <Input
                {...control}
                name="token"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                required
                className="h-10 font-mono"
              />
            )}
          </Field>
        ) : null}
        <fieldset className="grid gap-4">
          <legend className="mb-3 text-sm font-semibold">Organisation</legend>
          <Field label="Name" error={wrong.name}>
            {(control) => (
              <Input
                {...control}
                value={name}
                onChange={(event) => setName(event.target.value)}
                autoComplete="organization"
                maxLength={120}
                required
                autoFocus
                className="h-10"
              />
            )}
          </Field>
          <Field
            label="Short name"
            hint="The first part of its portal address. Can't be changed later."
            error={wrong.slug}
          >
            {(control) => (
              <Input
                {...control}
                value={typedSlug ?? slugOf(name)}
                onChange={(event) => setTypedSlug(event.target.value)}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={40}
                required
                className="h-10 font-mono"
              />
            )}
          </Field>
          <Field
            label="Data region"
            hint="Where its data is processed. Providers elsewhere need your permission."
            error={wrong.dataRegion}
          >
            {(control) => (
              <Select
                {...control}
                value={dataRegion}
                onValueChange={setDataRegion}
                options={dataRegions.map((region) => ({ value: region.code, label: region.name }))}
                className="h-10"
              />
            )}
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Country" hint="Where most of your recipients live" error={wrong.country}>
              {(control) => (
                <PlaceInput kind="region" {...control} value={country} onValueChange={setCountry} />
              )}
            </Field>
            <Field label="Language" hint="Of the first templates" error={wrong.language}>
              {(control) => (
                <Select
                  {...control}
                  value={language}
                  onValueChange={setLanguage}
                  options={languages}
                  className="h-10"
                />
              )}
            </Field>
          </div>
        </fieldset>
        <fieldset className="grid gap-4">
          <legend className="mb-3 text-sm font-semibold">Owner</legend>
          <Field label="Your name" error={wrong.ownerName}>
            {(control) => (
              <Input
                {...control}
                name="ownerName"
                autoComplete="name"
                maxLength={120}
                required
                className="h-10"
              />
            )}
          </Field>
          <Field label="E-mail" error={wrong.email}>
            {(control) => (
              <Input
                {...control}
                name="email"
                type="email"
                autoComplete="username"
                required
                className="h-10"
              />
            )}
          </Field>
          <NewPasswordField error={wrong.password} className="h-10" />
        </fieldset>
        <Button type="submit" variant="primary" size="lg" pending={pending}>
          Set up organisation
        </Button>
      </Form>
    );
  return (
    <PublicPage title="Set up Tidings" description="Create the first organisation, with you as its owner.">
      {form}
    </PublicPage>
  );
}

/** The key, once, and the way in. */
function SetUpResult({ facts, password }: { facts: SetUpDone; password: string }) {
  const [pending, setPending] = useState(false);
  const { slug, email, sandboxKey, example } = facts;

  async function enter() {
    setPending(true);
    await enterPortal({ organisation: slug, email, password });
  }

  return (
    <div className="grid grid-cols-1 gap-5">
      <div>
        <h2 className="mb-1.5 text-sm font-medium">API key for the sandbox</h2>
        <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-2 pr-2 pl-3">
          <code className="min-w-0 flex-1 font-mono text-sm break-all select-all">{sandboxKey}</code>
          <CopyButton value={sandboxKey} label="Copy key" className="size-7" />
        </div>
        <p className="mt-1.5 text-xs text-ink-muted">
          Copy it now. It can't be shown again. You can create others at any time.
        </p>
      </div>
      <div>
        <h2 className="mb-1.5 text-sm font-medium">A first message</h2>
        <CodeBlock
          label="Request"
          code={`curl -X ${example.method} ${window.location.origin}${example.path} \\\n  -H "Authorization: Bearer ${sandboxKey}" \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(example.body)}'`}
        />
      </div>
      <Button variant="primary" size="lg" pending={pending} onClick={() => void enter()}>
        Go to the portal
      </Button>
    </div>
  );
}
