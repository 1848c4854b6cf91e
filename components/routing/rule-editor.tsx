"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Rule, RuleChoices } from "../../server/routing/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode, errorText, fieldErrors, fieldProblems } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { UnsavedBar } from "../ui/unsaved-bar.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { DryRunPanel } from "./dry-run-panel.tsx";
import { changedParts } from "./rule-draft.ts";
import type { Draft } from "./rule-draft.ts";
import { TierEditor } from "./tier-editor.tsx";
import { Form } from "../ui/form.tsx";

/** The form of a rule. `revision`: the one that is shown; a change that others made meanwhile is told on saving. */
export function RuleEditor({
  id,
  saved,
  revision,
  rules,
  choices,
  editable,
  everywhere,
}: {
  id: string | null;
  saved: Draft;
  revision: number;
  rules: readonly Rule[];
  choices: RuleChoices;
  editable: boolean;
  /** The reader may write rules for the whole organisation. */
  everywhere: boolean;
}) {
  const { environment, applications, canIn, href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useRefresh("routing");
  const [start] = useState<Draft>(() =>
    id === null && !everywhere && saved.application === null
      ? {
          ...saved,
          application: applications.find((each) => canIn("routing:manage", each.unitId))?.name ?? null,
        }
      : saved,
  );
  // Kept from the first look, so that a newer revision does not slip under a draft unseen.
  const [base, setBase] = useState({ saved: start, revision });
  const [draft, setDraft] = useState(start);
  const [note, setNote] = useState("");
  const parts = changedParts(base.saved, draft);
  const dirty = editable && parts.length > 0;
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });

  // Refused for somebody else's change: what the reader goes on from is how the rules are now.
  const done = { onSuccess: changed, onError: changed };
  const create = useMutation(trpc.routing.create.mutationOptions(done));
  const update = useMutation(trpc.routing.update.mutationOptions(done));
  const error = create.error ?? update.error;
  const wrong = fieldErrors(error);
  const pending = create.isPending || update.isPending;

  function save() {
    const input = {
      ...draft,
      environmentId: environment.id,
      revision: base.revision,
      ...(note.trim() === "" ? {} : { note: note.trim() }),
    };
    if (id === null) {
      create.mutate(input, {
        onSuccess: (rule) => {
          toast.success(`“${rule.name}” added`, { description: "Takes effect within two seconds." });
          setBase({ saved: draft, revision: rule.revision });
          router.replace(href(`/routing/rules/${rule.id}`));
        },
      });
      return;
    }
    update.mutate(
      { ...input, id },
      {
        onSuccess: (rule) => {
          toast.success(`“${rule.name}” saved`, {
            description: `Changed: ${parts.join(", ")}. Takes effect within two seconds.`,
          });
          setBase({ saved: draft, revision: rule.revision });
          setNote("");
        },
      },
    );
  }

  return (
    <Form
      refused={error}
      aria-label="Routing rule"
      onSubmit={() => {
        if (dirty) save();
      }}
    >
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
        <fieldset disabled={!editable || pending} className="grid min-w-0 grid-cols-1 gap-4">
          {error ? (
            <SaveRefused
              error={error}
              onReload={() => {
                create.reset();
                update.reset();
                setBase({ saved: id === null ? start : saved, revision });
              }}
            />
          ) : null}
          {editable ? null : (
            <p className="rounded-md border border-line bg-canvas px-3 py-2 text-sm text-ink-muted">
              {draft.application === null
                ? "This rule is for the whole organisation. You can view it but not change it."
                : "You can view this rule but not change it."}
            </p>
          )}
          <Card>
            <CardHeader
              title="Conditions"
              description="A message must meet all conditions. Rules with more conditions win."
            />
            <div className="grid grid-cols-1 gap-4 px-4 pb-4">
              <Field label="Name" error={wrong.name}>
                {(control) => (
                  <Input
                    {...control}
                    value={draft.name}
                    onChange={(event) => set({ name: event.target.value })}
                    maxLength={100}
                    placeholder="For example, Order status to Germany"
                    autoFocus={id === null}
                    autoComplete="off"
                    required
                  />
                )}
              </Field>
              <ConditionFields
                draft={draft}
                choices={choices}
                wrong={wrong}
                everywhere={everywhere}
                onChange={set}
              />
              <CheckboxField
                label="On"
                checked={draft.enabled}
                disabled={!editable}
                onChange={(enabled) => set({ enabled })}
              >
                A rule that is off has no effect.
              </CheckboxField>
            </div>
          </Card>
          <TierEditor
            draft={draft}
            choices={choices}
            problems={fieldProblems(error).filter(({ pointer }) => pointer.startsWith("/tiers"))}
            editable={editable}
            onChange={(tiers) => set({ tiers })}
          />
        </fieldset>
        <div className="lg:sticky lg:top-4">
          <DryRunPanel id={id} draft={draft} choices={choices} rules={rules} />
        </div>
      </div>
      {dirty ? (
        <UnsavedBar
          saveLabel={id === null ? "Add rule" : "Save rule"}
          pending={pending}
          lost={id === null ? "The new rule" : `Your changes to “${base.saved.name}”`}
          ofEnvironment
          onDiscard={() => {
            setDraft(base.saved);
            create.reset();
            update.reset();
          }}
        >
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <span>{id === null ? "Not added yet." : `Not saved yet: ${parts.join(", ")}.`}</span>
            <Input
              aria-label="Note for the history"
              value={note}
              onChange={(event) => setNote(event.target.value)}
              placeholder="Reason, for the history"
              maxLength={500}
              className="h-7 w-64 max-w-full"
            />
          </span>
        </UnsavedBar>
      ) : null}
    </Form>
  );
}

function SaveRefused({ error, onReload }: { error: unknown; onReload: () => void }) {
  const details = [...new Set(fieldProblems(error).map(({ detail }) => detail))];
  if (errorCode(error) === "revision_conflict") {
    return (
      <FormError title="Someone else has changed the rules">
        <p>{errorText(error)} Your changes are kept.</p>
        <Button size="sm" className="mt-2" onClick={onReload}>
          Continue with the latest rules
        </Button>
      </FormError>
    );
  }
  return (
    <FormError title="The rule was not saved">
      {details.length > 1 ? (
        <ul className="list-disc pl-4">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      ) : (
        errorText(error)
      )}
    </FormError>
  );
}
