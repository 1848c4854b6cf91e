"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LimitedClass, LimitsPreviewed, QuietRule } from "../../server/recipient-limits/schemas.ts";
import { isFor, limitedClasses } from "../../server/recipient-limits/vocabulary.ts";
import { classWords } from "../consent/consent-words.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { Dot } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { PlaceInput } from "../ui/place-input.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { zoneName } from "./limit-words.ts";

type Asked = { recipient: string; class: LimitedClass; channel: (typeof channels)[number]; region: string };

/** What the quiet hours on the page would do to a message to somebody now. Not a form: it stands in one. */
export function LimitsPreview({ rules, edited }: { rules: readonly QuietRule[]; edited: boolean }) {
  const { applications } = usePortal();
  const trpc = useTRPC();
  const [typed, setTyped] = useState<Asked>({
    recipient: "",
    class: "marketing",
    channel: "sms",
    region: applications[0]?.defaultRegion ?? "DE",
  });
  const [asked, setAsked] = useState<Asked | null>(null);
  const of = asked ?? typed;
  const query = useQuery(
    trpc.recipientLimits.preview.queryOptions(
      {
        ...of,
        // Only what is for it: the question is part of an address.
        quietHours: rules
          .filter((rule) => isFor(rule, of))
          .map(({ days, from, to }) => ({ classes: [of.class], channels: [], regions: [], days, from, to })),
      },
      { enabled: asked !== null, retry: false, gcTime: 0, placeholderData: keepPreviousData },
    ),
  );
  const look = () => {
    if (typed.recipient.trim() !== "") setAsked(typed);
  };
  const problem =
    query.isError && !query.data ? (fieldErrors(query.error).recipient ?? errorText(query.error)) : undefined;
  const change = (fields: Partial<Asked>) => setTyped({ ...typed, ...fields });
  return (
    <Card>
      <CardHeader
        title="Try it on a recipient"
        description="What the quiet hours on this page would do to a message sent now"
      />
      <div className="grid items-start gap-3 px-4 pb-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_9rem_8rem_11rem_auto]">
        <Field label="Address" error={problem}>
          {(control) => (
            <Input
              {...control}
              value={typed.recipient}
              onChange={(event) => change({ recipient: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                look();
              }}
              placeholder={typed.channel === "email" ? "ada@example.com" : "+12125550100"}
              maxLength={320}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Class">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={typed.class}
              onValueChange={(value) => change({ class: value as LimitedClass })}
              options={limitedClasses
                .toReversed()
                .map((each) => ({ value: each, label: classWords[each].label }))}
            />
          )}
        </Field>
        <Field label="Channel">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={typed.channel}
              onValueChange={(value) => change({ channel: value as Asked["channel"] })}
              options={channels.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
            />
          )}
        </Field>
        <Field label="Region">
          {(control) => (
            <PlaceInput
              kind="region"
              {...control}
              value={typed.region}
              onValueChange={(region) => change({ region })}
            />
          )}
        </Field>
        <Button className="sm:mt-6.5" pending={query.isFetching} onClick={look}>
          Try it
        </Button>
      </div>
      {asked && query.data ? (
        <div data-testid="preview" className="border-t border-line px-4 py-3 text-sm" aria-live="polite">
          <p className="flex items-start gap-2">
            <Dot tone={query.data.until === null ? "success" : "warning"} className="mt-1.5" />
            <span className="min-w-0">
              {classWords[asked.class].label} by {channelLabel(asked.channel)} to{" "}
              <span className="font-medium break-all">{asked.recipient.trim()}</span> now{" "}
              {outcome(query.data)}
              {edited ? " These quiet hours are not saved yet." : null}
            </span>
          </p>
          <p className="mt-1 pl-3.5 text-xs text-ink-muted">{whereFrom(query.data)}</p>
        </div>
      ) : null}
    </Card>
  );
}

function outcome({ until, zone, always }: LimitsPreviewed): string {
  if (until === null || zone === null) return "would be sent immediately.";
  if (always) return "would never be sent: the quiet hours leave no time for it.";
  const when = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(until));
  return `would wait until ${when.replace(",", "")} in ${zoneName(zone)}.`;
}

const sources: Record<LimitsPreviewed["zonesFrom"], string> = {
  contact: "from their contact",
  number: "from the number",
  region: "from the region",
};

function whereFrom({ zones, zonesFrom }: LimitsPreviewed): string {
  const names = zones.slice(0, 4).map(zoneName).join(", ");
  const more = zones.length > 4 ? ` and ${String(zones.length - 4)} more` : "";
  const several = zones.length > 1 ? " It is sent when none of them has quiet hours." : "";
  return `Time zone, ${sources[zonesFrom]}: ${names}${more}.${several}`;
}
