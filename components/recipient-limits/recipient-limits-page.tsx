"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { useState, type ReactNode } from "react";
import { toast } from "../ui/toast.ts";
import type { Cap, LimitsState, QuietRule } from "../../server/recipient-limits/schemas.ts";
import { limitBounds } from "../../server/recipient-limits/vocabulary.ts";
import { SaveRefused } from "../settings/save-refused.tsx";
import { SettingsHeader } from "../settings/settings-frame.tsx";
import { SettingsSkeleton } from "../settings/settings-skeleton.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { UnsavedBar } from "../ui/unsaved-bar.tsx";
import { capSentence, quietSentence } from "./limit-words.ts";
import { LimitsPreview } from "./limits-preview.tsx";
import { PacksCard } from "./packs-card.tsx";
import { Form } from "../ui/form.tsx";

const CapDialog = dynamic(() => import("./cap-dialog.tsx").then((module) => module.CapDialog));
const QuietRuleDialog = dynamic(() =>
  import("./quiet-rule-dialog.tsx").then((module) => module.QuietRuleDialog),
);

/** When messages wait for their recipients' sake, and how many each gets. */
export function RecipientLimitsPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.recipientLimits.get.queryOptions());
  if (query.data) return <LimitsEditor state={query.data} onReread={() => query.refetch()} />;
  return query.isError ? (
    <>
      <SettingsHeader path="/quiet-hours" />
      <Card>
        <QueryFailed what="quiet hours and caps" query={query} />
      </Card>
    </>
  ) : (
    <SettingsSkeleton />
  );
}

type Draft = { quietHours: readonly QuietRule[]; caps: readonly Cap[]; revision: number };
/** What a dialog changes: the one at this place; null: a new one. */
type Opened = { of: "quiet" | "cap"; at: number | null };

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function LimitsEditor({ state, onReread }: { state: LimitsState; onReread: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  // Saved against what was read when the first thing was changed, so that nobody else's change is lost.
  const [edited, setEdited] = useState<Draft | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const draft: Draft = edited ?? state;
  const change = (part: Partial<Draft>) => setEdited({ ...draft, ...part });
  const save = useMutation(
    trpc.recipientLimits.set.mutationOptions({
      onSuccess: (next) => {
        queryClient.setQueryData(trpc.recipientLimits.get.queryKey(), next);
        setEdited(null);
        toast.success("Quiet hours and caps saved");
      },
    }),
  );
  const discard = () => {
    setEdited(null);
    save.reset();
  };
  const { quietHours, caps } = draft;
  const dirty =
    edited !== null && (state.problem || !same([quietHours, caps], [state.quietHours, state.caps]));
  const tooMany = quietHours.length > limitBounds.quietRules;
  const put = <Value,>(all: readonly Value[], at: number | null, value: Value) =>
    at === null ? [...all, value] : all.map((each, index) => (index === at ? value : each));
  return (
    <>
      <Form
        aria-label="Quiet hours and caps"
        onSubmit={() => {
          if (dirty && !tooMany)
            save.mutate({ quietHours: [...quietHours], caps: [...caps], revision: edited.revision });
        }}
      >
        <SettingsHeader path="/quiet-hours">
          One-time codes, sign-in links and test sends are never held.
        </SettingsHeader>
        <fieldset disabled={save.isPending} className="grid min-w-0 grid-cols-1 gap-4">
          <SaveRefused
            error={save.error}
            changed="Someone else has changed them"
            unsaved="Changes were not saved"
            again="Reload"
            onAgain={() => {
              discard();
              void onReread();
            }}
          />
          {state.problem && edited === null ? <Problem onKeep={() => change({})} /> : null}
          <LimitList
            title="Quiet hours"
            description="In the recipient's time zone. Messages due in quiet hours wait until they end."
            none="No quiet hours. Messages are sent at any time."
            addLabel="Add quiet hours"
            what="quiet hours"
            items={quietHours.map((rule) => ({
              text: quietSentence(rule),
              from: rule.pack ? `From a pack, ${rule.pack.version}` : null,
            }))}
            most={limitBounds.quietRules}
            onOpen={(at) => setOpened({ of: "quiet", at })}
            onRemove={(at) => change({ quietHours: quietHours.filter((_, index) => index !== at) })}
          />
          <LimitList
            title="Frequency caps"
            description="How many messages a recipient can get. Messages sent before a cap was set don't count."
            none="No caps. Recipients get every message."
            addLabel="Add cap"
            what="cap"
            items={caps.map((cap) => ({ text: capSentence(cap), from: null }))}
            most={limitBounds.caps}
            onOpen={(at) => setOpened({ of: "cap", at })}
            onRemove={(at) => change({ caps: caps.filter((_, index) => index !== at) })}
          />
          <LimitsPreview rules={quietHours} edited={dirty} />
          <PacksCard rules={quietHours} onAdd={(rules) => change({ quietHours: rules })} />
        </fieldset>
        {dirty ? (
          <UnsavedBar saveLabel="Save" pending={save.isPending} onDiscard={discard}>
            {tooMany
              ? `These are ${String(quietHours.length)} rules; at most ${String(limitBounds.quietRules)} can be saved.`
              : "Not saved yet. Takes effect when you save."}
          </UnsavedBar>
        ) : null}
      </Form>
      {opened?.of === "quiet" ? (
        <QuietRuleDialog
          rule={opened.at === null ? null : (quietHours[opened.at] ?? null)}
          onClose={() => setOpened(null)}
          onTake={(rule) => {
            change({ quietHours: put(quietHours, opened.at, rule) });
            setOpened(null);
          }}
        />
      ) : null}
      {opened?.of === "cap" ? (
        <CapDialog
          cap={opened.at === null ? null : (caps[opened.at] ?? null)}
          onClose={() => setOpened(null)}
          onTake={(cap) => {
            change({ caps: put(caps, opened.at, cap) });
            setOpened(null);
          }}
        />
      ) : null}
    </>
  );
}

function LimitList({
  title,
  description,
  none,
  addLabel,
  what,
  items,
  most,
  onOpen,
  onRemove,
}: {
  title: string;
  description: string;
  none: string;
  addLabel: string;
  /** What one of them is called on its buttons. */
  what: string;
  items: readonly { text: string; from: ReactNode }[];
  most: number;
  onOpen: (at: number | null) => void;
  onRemove: (at: number) => void;
}) {
  return (
    <Card>
      <CardHeader
        title={title}
        description={description}
        actions={
          <Button size="sm" disabled={items.length >= most} onClick={() => onOpen(null)}>
            {addLabel}
          </Button>
        }
      />
      {items.length === 0 ? (
        <p className="border-t border-line px-4 py-4 text-sm text-ink-muted">{none}</p>
      ) : (
        <ul aria-label={title} className="divide-y divide-line border-t border-line">
          {items.map(({ text, from }, at) => (
            // Two may say the same.
            <li key={`${String(at)} ${text}`} className="flex items-start justify-between gap-3 px-4 py-3">
              <p className="min-w-0 text-sm">
                {text}
                {from ? (
                  <Badge tone="neutral" className="ml-2 align-middle">
                    {from}
                  </Badge>
                ) : null}
              </p>
              <div className="flex shrink-0 gap-1">
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Change ${what} ${String(at + 1)}`}
                  onClick={() => onOpen(at)}
                >
                  <Pencil aria-hidden />
                </Button>
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Remove ${what} ${String(at + 1)}`}
                  onClick={() => onRemove(at)}
                >
                  <Trash2 aria-hidden />
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** What is stored cannot be read: what happens meanwhile, and how to set it anew. */
function Problem({ onKeep }: { onKeep: () => void }) {
  return (
    <div role="alert" className="rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning-text">
      <p className="flex items-start gap-2 font-medium">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        The stored quiet hours and caps can't be read
      </p>
      <div className="mt-1 pl-6">
        <p>
          Until you save them again, marketing waits and everything else is sent. What could be read is shown
          below.
        </p>
        <Button size="sm" className="mt-2.5" onClick={onKeep}>
          Start with these
        </Button>
      </div>
    </div>
  );
}
