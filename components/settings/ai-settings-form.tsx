"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { AiSettings } from "../../server/ai/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { fieldErrors } from "../trpc/error-text.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { Field } from "../ui/field.tsx";
import { formatNumber } from "../ui/format.ts";
import { readWhole } from "../ui/typed-number.ts";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { UnsavedBar } from "../ui/unsaved-bar.tsx";
import { Form } from "../ui/form.tsx";
import { SaveRefused } from "./save-refused.tsx";

const policyLength = 8_000;
const mostTokens = 1_000_000_000;

/** null: no bound; undefined: not a number that is allowed. */
function readTokens(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const tokens = readWhole(text);
  return Number.isInteger(tokens) && tokens >= 0 && tokens <= mostTokens ? tokens : undefined;
}

/** What the organisation lets the AI service do, what it must heed and what it may cost. */
export function AiSettingsForm({ settings }: { settings: AiSettings }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  // What differs from what is saved; the rest follows what is saved, also when somebody else saves.
  const [changes, setChanges] = useState<Partial<AiSettings>>({});
  const [typedTokens, setTypedTokens] = useState<string | null>(null);
  // As it was read when it was first changed here, so that nobody else's text is lost.
  const [expectedPolicy, setExpectedPolicy] = useState<string>();
  const draft = { ...settings, ...changes };
  const savedTokens = settings.monthlyTokens === null ? "" : formatNumber(settings.monthlyTokens);
  const tokens = typedTokens ?? savedTokens;
  const monthlyTokens = readTokens(tokens);
  const policy = draft.policy.trim();
  const dirty =
    draft.enabled !== settings.enabled ||
    draft.drafting !== settings.drafting ||
    draft.allowWithoutAi !== settings.allowWithoutAi ||
    policy !== settings.policy ||
    monthlyTokens !== settings.monthlyTokens;
  const set = (change: Partial<AiSettings>) => setChanges({ ...changes, ...change });
  const discard = () => {
    setChanges({});
    setTypedTokens(null);
    setExpectedPolicy(undefined);
  };

  const save = useMutation(
    trpc.ai.updateSettings.mutationOptions({
      onSuccess: async (saved) => {
        queryClient.setQueryData(trpc.ai.settings.queryKey(), saved);
        discard();
        toast.success("AI and moderation settings saved");
        await queryClient.invalidateQueries({ queryKey: trpc.ai.pathKey() });
      },
    }),
  );
  const wrong = fieldErrors(save.error);

  return (
    <Form
      refused={save.error}
      aria-label="AI and moderation"
      onSubmit={() => {
        if (!dirty || monthlyTokens === undefined) return;
        // Only what was changed here: somebody else may have changed the rest.
        save.mutate({
          ...changes,
          ...(changes.policy === undefined ? {} : { policy, expectedPolicy }),
          ...(typedTokens === null ? {} : { monthlyTokens }),
        });
      }}
    >
      <fieldset disabled={save.isPending} className="grid grid-cols-1 gap-4">
        <SaveRefused
          error={Object.keys(wrong).length === 0 ? save.error : null}
          changed="Someone else has changed the content rules"
          unsaved="The settings were not saved"
          again="Reload"
          onAgain={() => {
            discard();
            save.reset();
            void queryClient.invalidateQueries({ queryKey: trpc.ai.settings.queryKey() });
          }}
        />
        <Card>
          <CardHeader title="Usage" />
          <div className="grid gap-4 px-4 pb-4">
            <CheckboxField
              label="Use the AI service"
              checked={draft.enabled}
              onChange={(enabled) => set({ enabled })}
            >
              Template content is checked there before each save. Recipients and variable values are never
              sent. Without it, only the built-in checks run.
            </CheckboxField>
            <CheckboxField
              label="Drafting"
              checked={draft.drafting}
              disabled={!draft.enabled}
              onChange={(drafting) => set({ drafting })}
            >
              Template authors can have texts drafted, rewritten, shortened and translated.
            </CheckboxField>
            <Field
              label="Tokens per month"
              optional
              className="max-w-72"
              hint="Limits drafting, per calendar month (UTC). Leave empty for no limit. Moderation counts towards it but is never refused."
              error={
                monthlyTokens === undefined
                  ? `A whole number up to ${formatNumber(mostTokens)}`
                  : wrong.monthlyTokens
              }
            >
              {(control) => (
                <Input
                  {...control}
                  value={tokens}
                  onChange={(event) => setTypedTokens(event.target.value)}
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder="Unlimited"
                />
              )}
            </Field>
          </div>
        </Card>
        <Card>
          <CardHeader
            title="Policy"
            description="Your own rules for template content, in plain language. The AI service checks them as well."
          />
          <div className="px-4 pb-4">
            <Field
              label="Content rules"
              optional
              hint={`${formatNumber(policy.length)} of ${formatNumber(policyLength)} characters`}
              error={wrong.policy}
            >
              {(control) => (
                <Textarea
                  {...control}
                  value={draft.policy}
                  onChange={(event) => {
                    setExpectedPolicy(expectedPolicy ?? settings.policy);
                    set({ policy: event.target.value });
                  }}
                  maxLength={policyLength}
                  rows={7}
                  placeholder={
                    "Never promise a delivery date.\nNo exclamation marks in reminders.\nPrices only with their currency."
                  }
                />
              )}
            </Field>
          </div>
        </Card>
        <Card>
          <CardHeader title="Production without an AI check" />
          <div className="grid gap-3 px-4 pb-4">
            <CheckboxField
              label="Allow versions into production that only the built-in checks have moderated"
              checked={draft.allowWithoutAi}
              onChange={(allowWithoutAi) => set({ allowWithoutAi })}
            >
              Otherwise the moderation gate of production stages refuses them.
            </CheckboxField>
            {draft.allowWithoutAi ? (
              <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text">
                <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
                The built-in checks find numbers and secrets, but don't understand content. Insults,
                misleading offers and policy violations can reach recipients.
              </p>
            ) : null}
          </div>
        </Card>
      </fieldset>
      {dirty ? (
        <UnsavedBar
          saveLabel="Save settings"
          pending={save.isPending}
          onDiscard={() => {
            discard();
            save.reset();
          }}
        >
          Not saved yet.
        </UnsavedBar>
      ) : null}
    </Form>
  );
}
