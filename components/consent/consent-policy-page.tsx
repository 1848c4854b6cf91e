"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toast } from "../ui/toast.ts";
import type { ConsentPolicyState } from "../../server/consent/schemas.ts";
import { mostOverrides } from "../../server/consent/vocabulary.ts";
import type { ConsentPolicy } from "../../server/tenancy/schemas.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { SaveRefused } from "../settings/save-refused.tsx";
import { SettingsHeader } from "../settings/settings-frame.tsx";
import { SettingsSkeleton } from "../settings/settings-skeleton.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { PlaceInput } from "../ui/place-input.tsx";
import { Field } from "../ui/field.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { UnsavedBar } from "../ui/unsaved-bar.tsx";
import { classes, classWords, policyWords, regionName } from "./consent-words.ts";
import {
  chosenFor,
  draftOf,
  draftRegions,
  inheritedBy,
  marketingIs,
  overridesOf,
  sameDraft,
  withCell,
  withoutRegion,
  type Cell,
  type PolicyDraft,
} from "./policy-draft.ts";
import { PolicyPreview } from "./policy-preview.tsx";
import { Form } from "../ui/form.tsx";

const policies = ["opt_in_required", "opt_out", "exempt"] as const;
/** A select has no empty value. */
const inherited = "inherited";

/** What each class of message requires of its recipient, by channel and region. */
export function ConsentPolicyPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.consent.policy.queryOptions());
  if (query.data) return <PolicyEditor state={query.data} onReread={() => query.refetch()} />;
  return query.isError ? (
    <>
      <SettingsHeader path="/consent" />
      <Card>
        <QueryFailed what="the consent policy" query={query} />
      </Card>
    </>
  ) : (
    <SettingsSkeleton />
  );
}

function PolicyEditor({ state, onReread }: { state: ConsentPolicyState; onReread: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<{ draft: PolicyDraft; revision: string } | null>(null);
  const [region, setRegion] = useState("");
  const saved = draftOf(state.overrides);
  const draft = edited?.draft ?? saved;
  const change = (next: PolicyDraft) =>
    // Saved against what was read when the first cell was changed, so that nobody else's change is lost.
    setEdited({ draft: next, revision: edited?.revision ?? state.revision });
  const save = useMutation(
    trpc.consent.setPolicy.mutationOptions({
      onSuccess: async (next) => {
        queryClient.setQueryData(trpc.consent.policy.queryKey(), next);
        setEdited(null);
        toast.success("Consent policy saved");
        await queryClient.invalidateQueries({ queryKey: trpc.consent.pathKey() });
      },
    }),
  );
  const discard = () => {
    setEdited(null);
    save.reset();
  };
  const overrides = overridesOf(draft);
  const tooMany = overrides.length > mostOverrides;
  const dirty = edited !== null && (!sameDraft(draft, saved) || state.problem === "policy");
  return (
    <Form
      aria-label="Consent policy"
      onSubmit={() => {
        if (dirty && !tooMany) save.mutate({ overrides, revision: edited.revision });
      }}
    >
      <SettingsHeader path="/consent">
        Suppressed addresses never receive messages, whatever the policy.
      </SettingsHeader>
      <fieldset
        disabled={save.isPending || state.problem === "settings"}
        className="grid min-w-0 grid-cols-1 gap-4"
      >
        <SaveRefused
          error={save.error}
          changed="Someone else has changed the policy"
          unsaved="The policy was not saved"
          again="Reload"
          onAgain={() => {
            discard();
            void onReread();
          }}
        />
        {state.problem === null ? null : (
          <Problem
            problem={state.problem}
            onKeep={() => change(draft)}
            onDefaults={() => change(new Map())}
          />
        )}
        <Card>
          <CardHeader
            title="Consent required"
            description="Without a rule, the default of the class applies. A rule for a region takes precedence over one for all regions."
          />
          <div className="border-t border-line px-4 py-4">
            <RegionChoice draft={draft} region={region} onChoose={setRegion} onChange={change} />
          </div>
          <ul className="divide-y divide-line border-t border-line">
            {classes.map((of) => (
              <li key={of} className="px-4 py-4">
                <h3 className="text-sm font-medium">{classWords[of].label}</h3>
                <p className="text-xs text-ink-muted">{classWords[of].says}</p>
                <div className="mt-3 grid gap-x-4 gap-y-3 sm:grid-cols-3">
                  {channels.map((channel) => (
                    <PolicyCell
                      key={channel}
                      cell={{ class: of, channel, region }}
                      draft={draft}
                      saved={saved}
                      onChange={change}
                    />
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </Card>
        <Expectation policy={marketingIs(draft)} />
        <PolicyPreview draft={draft} saved={saved} edited={dirty} />
      </fieldset>
      {dirty ? (
        <UnsavedBar saveLabel="Save policy" pending={save.isPending} onDiscard={discard}>
          {tooMany
            ? `These are ${formatNumber(overrides.length)} rules; at most ${formatNumber(mostOverrides)} can be saved.`
            : "Not saved yet. Changes also apply to messages that are waiting."}
        </UnsavedBar>
      ) : null}
    </Form>
  );
}

function RegionChoice({
  draft,
  region,
  onChoose,
  onChange,
}: {
  draft: PolicyDraft;
  region: string;
  onChoose: (region: string) => void;
  onChange: (draft: PolicyDraft) => void;
}) {
  const own = draftRegions(draft);
  const count = (code: string) => [...draft.keys()].filter((key) => key.endsWith(`/${code}`)).length;
  return (
    <>
      <div className="flex flex-wrap items-end gap-2">
        <Field
          label="Region of the recipient"
          className="w-full max-w-72"
          hint="The region the message is sent for"
        >
          {(control) => (
            <PlaceInput
              kind="region"
              {...control}
              value={region}
              onValueChange={onChoose}
              none={{ value: "", label: "Every region" }}
              preferred={own}
              hints={Object.fromEntries(own.map((code) => [code, plural(count(code), "rule")]))}
            />
          )}
        </Field>
        {own.includes(region) ? (
          <Button
            variant="quietDanger"
            className="mb-5.5"
            onClick={() => onChange(withoutRegion(draft, region))}
          >
            Remove its rules
          </Button>
        ) : null}
      </div>
      {own.length > 0 ? (
        <p className="mt-3 max-h-32 overflow-y-auto text-xs text-ink-muted">
          With their own rules:{" "}
          {own.map((code, index) => (
            <span key={code}>
              {index > 0 ? ", " : null}
              <Button variant="link" className="text-xs" onClick={() => onChoose(code)}>
                {regionName(code)}
              </Button>
            </span>
          ))}
        </p>
      ) : null}
    </>
  );
}

function PolicyCell({
  cell,
  draft,
  saved,
  onChange,
}: {
  cell: Cell;
  draft: PolicyDraft;
  saved: PolicyDraft;
  onChange: (draft: PolicyDraft) => void;
}) {
  const chosen = chosenFor(draft, cell);
  const anyway = inheritedBy(draft, cell);
  const changed = chosen !== chosenFor(saved, cell);
  return (
    <Field
      label={
        <>
          {channelLabel(cell.channel)}
          {changed ? (
            <Badge tone="accent" className="ml-2">
              Changed
            </Badge>
          ) : null}
          <span className="sr-only">
            : {classWords[cell.class].label}
            {cell.region === "" ? null : ` in ${regionName(cell.region)}`}
          </span>
        </>
      }
      hint={policyWords[chosen ?? anyway].says}
    >
      {(control) => (
        <Select
          {...control}
          className="w-full"
          value={chosen ?? inherited}
          onValueChange={(value) =>
            onChange(withCell(draft, cell, value === inherited ? null : (value as ConsentPolicy)))
          }
          options={[
            {
              value: inherited,
              label: `${cell.region === "" ? "Default" : "Same as all regions"}: ${policyWords[anyway].label.toLowerCase()}`,
            },
            ...policies.map((policy) => ({ value: policy, label: policyWords[policy].label })),
          ]}
        />
      )}
    </Field>
  );
}

/** What is stored cannot be read: what holds meanwhile, and how to set it anew. */
function Problem({
  problem,
  onKeep,
  onDefaults,
}: {
  problem: "policy" | "settings";
  onKeep: () => void;
  onDefaults: () => void;
}) {
  return (
    <div role="alert" className="rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning-text">
      <p className="flex items-start gap-2 font-medium">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        The stored consent policy can't be read
      </p>
      <div className="mt-1 pl-6">
        {problem === "settings" ? (
          <p>
            Until it is repaired, the strictest policy applies, as shown below. It can't be changed here:
            contact your operator.
          </p>
        ) : (
          <>
            <p>
              Until you save a new one, the strictest policy applies: only one-time codes are sent without an
              opt-in.
            </p>
            <div className="mt-2.5 flex flex-wrap gap-2">
              <Button size="sm" onClick={onDefaults}>
                Start with the defaults
              </Button>
              <Button size="sm" onClick={onKeep}>
                Start with the strictest
              </Button>
            </div>
          </>
        )}
      </div>
    </div>
  );
}

/** What the law expects in many places where marketing is loosened. */
function Expectation({ policy }: { policy: ConsentPolicy }) {
  if (policy === "opt_in_required") return null;
  const text: ReactNode =
    policy === "exempt"
      ? "Marketing would be sent to people who have opted out of it. Most countries prohibit this, and it can be fined."
      : "Marketing would be sent to people who never agreed to it. Many countries, including the EU and the UK, require consent first, with few exceptions. So does WhatsApp.";
  return (
    <p
      role="note"
      className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>{text} Check the rules where your recipients are.</span>
    </p>
  );
}
