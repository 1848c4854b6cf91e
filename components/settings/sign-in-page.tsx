"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { SignInPolicy, SignInWay } from "../../server/access/schemas.ts";
import { signInWays } from "../../server/access/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Link } from "../ui/link.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { UnsavedBar } from "../ui/unsaved-bar.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { Form } from "../ui/form.tsx";

type Policy = SignInPolicy & { singleSignOn: string | null };

const hours = [1, 4, 8, 12, 24, 72, 168];
const minutes = [5, 15, 30, 60, 240, 720, 1_440, 10_080];

/** "45 minutes", "8 hours", "3 days". */
function duration(total: number): string {
  const [count, unit] =
    total % 1_440 === 0
      ? [total / 1_440, "day"]
      : total % 60 === 0
        ? [total / 60, "hour"]
        : [total, "minute"];
  return `${String(count)} ${unit}${count === 1 ? "" : "s"}`;
}
/** The choices, with one that a system has set and none of them is. */
const choices = (of: readonly number[], now: number, unit: number) =>
  [...new Set([...of, now])]
    .sort((a, b) => a - b)
    .map((value) => ({ value: String(value), label: duration(value * unit) }));

/** What the organisation asks of its people when they sign in. */
export function SignInPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.signInPolicy.get.queryOptions());
  return (
    <>
      <SettingsHeader path="/sign-in">Changes apply to open sessions within seconds.</SettingsHeader>
      {query.data ? (
        <PolicyForm policy={query.data} />
      ) : query.isError ? (
        <Card>
          <QueryFailed what="the sign-in" query={query} />
        </Card>
      ) : (
        <div className="grid gap-4" aria-busy>
          {[0, 1, 2].map((card) => (
            <Card key={card} className="grid gap-3 p-4">
              <Skeleton className="w-40" />
              <Skeleton className="w-2/3" />
            </Card>
          ))}
        </div>
      )}
    </>
  );
}

function PolicyForm({ policy }: { policy: Policy }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [changes, setChanges] = useState<Partial<SignInPolicy>>({});
  const { singleSignOn, ...saved } = policy;
  const draft: SignInPolicy = { ...saved, ...changes };
  const dirty = JSON.stringify(draft) !== JSON.stringify(saved);
  const set = (change: Partial<SignInPolicy>) => setChanges({ ...changes, ...change });
  const setWay = (way: SignInWay, on: boolean) =>
    set({
      ways: signInWays.filter((each) => (each === way ? on : draft.ways.includes(each))),
    });
  const save = useMutation(
    trpc.signInPolicy.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.signInPolicy.pathKey() });
        setChanges({});
        toast.success("Sign-in settings saved");
      },
    }),
  );
  const wrong = fieldErrors(save.error);
  return (
    <Form
      refused={save.error}
      aria-label="Sign-in"
      onSubmit={() => {
        // Only what was changed here: somebody else may have changed the rest.
        if (dirty) save.mutate(changes);
      }}
    >
      <fieldset disabled={save.isPending} className="grid grid-cols-1 gap-4">
        {save.error && Object.keys(wrong).length === 0 ? (
          <FormError title="Sign-in settings were not saved">{errorText(save.error)}</FormError>
        ) : null}
        <Card>
          <CardHeader title="Second factor" />
          <div className="grid gap-2 px-4 pb-4">
            <CheckboxField
              label="Require a second factor"
              checked={draft.secondFactor}
              onChange={(secondFactor) => set({ secondFactor })}
            >
              Members who sign in with a password also need an authenticator app, and set it up at their next
              sign-in. Passkeys count as one; identity providers have their own.
            </CheckboxField>
            {wrong.secondFactor ? (
              <p role="alert" className="pl-6.5 text-xs text-danger-text">
                {wrong.secondFactor}.{" "}
                <Link href={href("/account")} className="underline underline-offset-2">
                  Your account
                </Link>
              </p>
            ) : null}
          </div>
        </Card>
        <Card>
          <CardHeader title="Ways to sign in" />
          <div className="grid gap-3 px-4 pb-4">
            <CheckboxField
              label="Password"
              checked={draft.ways.includes("password")}
              onChange={(on) => setWay("password", on)}
            >
              With e-mail address and password. Owners can always use theirs, with a second factor, so that
              nobody is locked out.
            </CheckboxField>
            <CheckboxField
              label="Passkey"
              checked={draft.ways.includes("passkey")}
              onChange={(on) => setWay("passkey", on)}
            >
              With a fingerprint, face or device PIN. Counts as a second factor.
            </CheckboxField>
            <CheckboxField
              label="Your identity provider"
              checked={draft.ways.includes("identity_provider")}
              onChange={(on) => setWay("identity_provider", on)}
            >
              One that you have connected under{" "}
              <Link href={href("/settings/single-sign-on")} className="underline underline-offset-2">
                Single sign-on
              </Link>
              .
            </CheckboxField>
            {singleSignOn === null ? null : (
              <CheckboxField
                label={`Single sign-on with ${singleSignOn}`}
                checked={draft.ways.includes("single_sign_on")}
                onChange={(on) => setWay("single_sign_on", on)}
              >
                Through the identity provider of this installation.
              </CheckboxField>
            )}
            {wrong.ways ? (
              <p role="alert" className="pl-6.5 text-xs text-danger-text">
                {wrong.ways}.
              </p>
            ) : null}
          </div>
        </Card>
        <Card>
          <CardHeader title="Sessions" />
          <div className="grid gap-4 px-4 pb-4 sm:grid-cols-2">
            <Field label="Sign out after" error={wrong.sessionHours}>
              {(control) => (
                <Select
                  {...control}
                  value={String(draft.sessionHours)}
                  onValueChange={(value) => set({ sessionHours: Number(value) })}
                  options={choices(hours, draft.sessionHours, 60)}
                />
              )}
            </Field>
            <Field label="Sign out when inactive for" error={wrong.idleMinutes}>
              {(control) => (
                <Select
                  {...control}
                  value={String(draft.idleMinutes)}
                  onValueChange={(value) => set({ idleMinutes: Number(value) })}
                  options={choices(minutes, draft.idleMinutes, 1)}
                />
              )}
            </Field>
          </div>
        </Card>
      </fieldset>
      {dirty ? (
        <UnsavedBar
          saveLabel="Save"
          pending={save.isPending}
          onDiscard={() => {
            setChanges({});
            save.reset();
          }}
        >
          {draft.secondFactor && !saved.secondFactor
            ? "Members without a second factor have to set one up."
            : "Sessions that don't meet this are signed out."}
        </UnsavedBar>
      ) : null}
    </Form>
  );
}
