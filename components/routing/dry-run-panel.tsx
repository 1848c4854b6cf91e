"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState } from "react";
import type { Rule, RuleChoices } from "../../server/routing/schemas.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal, usePortalData } from "../portal/portal-context.tsx";
import { withChosen } from "../portal/with-chosen.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { cn } from "../ui/cn.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RouteResult } from "./route-result.tsx";
import type { Draft } from "./rule-draft.ts";
import { PlaceInput } from "../ui/place-input.tsx";

/** Tries a message against the rules as they would be with the draft; what is asked follows the draft until it is set. */
export function DryRunPanel({
  id,
  draft,
  choices,
  rules,
}: {
  id: string | null;
  draft: Draft;
  choices: RuleChoices;
  rules: readonly Rule[];
}) {
  const { environment, applications } = usePortal();
  const { applications: all } = usePortalData();
  const trpc = useTRPC();
  const labelId = useId();
  const [own, setOwn] = useState<
    Partial<Record<"application" | "channel" | "region" | "type" | "subtype", string>>
  >({});
  const application = own.application ?? draft.application ?? applications[0]?.name ?? "";
  const channel = own.channel ?? draft.channel ?? firstChannel(draft, choices) ?? "sms";
  const region =
    own.region ??
    draft.region ??
    all.find((each) => each.name === application)?.defaultRegion ??
    choices.regions[0] ??
    "";
  const type = own.type ?? draft.notificationType ?? choices.notificationTypes[0]?.type ?? "";
  const subtypes = choices.notificationTypes.find((each) => each.type === type)?.subtypes ?? [];
  const subtype =
    [own.subtype, draft.notificationSubtype].find((each) => each && subtypes.includes(each)) ??
    subtypes[0] ??
    "";

  const tried = useDeferredValue(draft);
  const complete = tried.tiers.length > 0 && tried.tiers.flat().every(({ weight }) => weight >= 1);
  const ready = application !== "" && /^[A-Z]{2}$/.test(region) && subtype !== "";
  const query = useQuery({
    ...trpc.routing.dryRun.queryOptions({
      environmentId: environment.id,
      application,
      channel: channel as (typeof channels)[number],
      region,
      notificationType: type,
      notificationSubtype: subtype,
      // What cannot be tried yet leaves the rules as they are.
      ...(complete && (tried.region === null || tried.region.length === 2)
        ? {
            draft: {
              ...tried,
              name: tried.name.trim() === "" ? "This rule" : tried.name,
              priority: Math.max(1, tried.priority),
              ...(id === null ? {} : { id }),
            },
          }
        : {}),
    }),
    enabled: ready,
    placeholderData: keepPreviousData,
  });
  const set = (change: typeof own) => setOwn({ ...own, ...change });

  return (
    <Card aria-labelledby={labelId}>
      <CardHeader
        title={<span id={labelId}>Test routing</span>}
        description={
          complete
            ? "How a message would be routed with this rule. Nothing is sent."
            : "How a message is routed now. Add a connection to include this rule. Nothing is sent."
        }
      />
      <div className="grid grid-cols-2 gap-2 px-4 pb-3">
        <Select
          aria-label="Application to test"
          value={application}
          onValueChange={(next) => set({ application: next })}
          options={withChosen(applications, all, application).map((each) => ({
            value: each.name,
            label: each.title,
          }))}
        />
        <Select
          aria-label="Channel to test"
          value={channel}
          onValueChange={(next) => set({ channel: next })}
          options={channels.map((each) => ({ value: each, label: channelLabel(each) }))}
        />
        <Select
          aria-label="Type to test"
          value={type}
          onValueChange={(next) => set({ type: next, subtype: "" })}
          options={choices.notificationTypes.map((each) => ({ value: each.type, label: each.type }))}
        />
        <Select
          aria-label="Subtype to test"
          value={subtype}
          onValueChange={(next) => set({ subtype: next })}
          options={subtypes.map((each) => ({ value: each, label: each }))}
        />
        <PlaceInput
          kind="region"
          aria-label="Region to test"
          value={region}
          onValueChange={(next) => set({ region: next })}
        />
      </div>
      <div className="border-t border-line px-4 py-3" aria-live="polite">
        {!ready ? (
          <p className="text-sm text-ink-muted">Choose an application, a type and a two-letter region.</p>
        ) : query.error && !query.data ? (
          <p className="text-sm text-danger-text">{errorText(query.error)}</p>
        ) : query.data ? (
          <div className={cn(query.isPlaceholderData && "opacity-50")} aria-busy={query.isPlaceholderData}>
            <RouteResult result={query.data} own={id ?? ""} known={rules} />
          </div>
        ) : (
          <div className="grid gap-2" aria-busy>
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
          </div>
        )}
      </div>
    </Card>
  );
}

/** One that all of the draft's connections carry, so that the example leads somewhere. */
function firstChannel(draft: Draft, choices: RuleChoices): string | undefined {
  const used = draft.tiers
    .flat()
    .flatMap(({ connectionId }) => choices.connections.find((each) => each.id === connectionId) ?? []);
  return used[0]?.channels.find((channel) => used.every((each) => each.channels.includes(channel)));
}
