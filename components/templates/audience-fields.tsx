"use client";

import { useQuery } from "@tanstack/react-query";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import type { Draft } from "./draft.ts";

/** What a new template is for. Fixed once it exists, because requests find it by this. */
export function AudienceFields({
  draft,
  onChange,
  problems,
}: {
  draft: Draft;
  onChange: (next: Partial<Draft>) => void;
  problems: Readonly<Record<string, string>>;
}) {
  const { applications } = usePortal();
  const trpc = useTRPC();
  const types = useQuery(trpc.tenancy.notificationTypes.queryOptions(undefined, { staleTime: 60_000 }));
  const kinds = (types.data?.data ?? []).flatMap((each) =>
    each.subtypes.map((subtype) => ({
      value: `${each.type}/${subtype}`,
      label: `${each.type} / ${subtype}`,
      hint: each.class,
    })),
  );
  return (
    <Card>
      <CardHeader
        title="What it is for"
        description="Cannot be changed later: requests find the template by this."
      />
      <div className="grid gap-4 px-4 pb-4 sm:grid-cols-2">
        <Field label="Channel">
          {(control) => (
            <div id={control.id}>
              <Segmented
                label="Channel"
                value={draft.channel}
                onValueChange={(channel) => onChange({ channel })}
                options={channels.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
              />
            </div>
          )}
        </Field>
        <Field label="Application" error={problems.application}>
          {(control) => (
            <Select
              id={control.id}
              value={draft.application}
              onValueChange={(application) => onChange({ application })}
              options={applications.map((each) => ({ value: each.name, label: each.title }))}
            />
          )}
        </Field>
        <Field label="Name" hint="What requests call it, like order-shipped" error={problems.name}>
          {(control) => (
            <Input
              {...control}
              value={draft.name}
              onChange={(event) => onChange({ name: event.target.value })}
              required
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Notification type" error={problems.notificationType ?? problems.notificationSubtype}>
          {(control) => (
            <Select
              id={control.id}
              value={draft.kind}
              onValueChange={(kind) => onChange({ kind })}
              options={kinds}
              invalid={problems.notificationType !== undefined}
            />
          )}
        </Field>
        <Field label="Region" optional hint="Empty: any" error={problems.region}>
          {(control) => (
            <Input
              {...control}
              value={draft.region}
              onChange={(event) => onChange({ region: event.target.value.toUpperCase().slice(0, 2) })}
              placeholder="DE"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Language" optional hint="Empty: any" error={problems.language}>
          {(control) => (
            <Input
              {...control}
              value={draft.language}
              onChange={(event) => onChange({ language: event.target.value.toLowerCase().slice(0, 2) })}
              placeholder="en"
              autoComplete="off"
            />
          )}
        </Field>
      </div>
    </Card>
  );
}
