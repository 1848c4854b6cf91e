"use client";

import { useQuery } from "@tanstack/react-query";
import { channelLabel, channels } from "../../messages/channel.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Select } from "../../ui/select.tsx";
import type { Draft } from "../draft.ts";
import type { FieldProblems } from "./validate-draft.ts";

/** What a new template is for. Fixed once it exists, because requests find it by this. */
export function AudienceForm({
  draft,
  problems,
  onChange,
}: {
  draft: Draft;
  problems: FieldProblems;
  onChange: (next: Partial<Draft>) => void;
}) {
  const { applications, canIn } = usePortal();
  const trpc = useTRPC();
  const types = useQuery(trpc.tenancy.notificationTypes.queryOptions(undefined, { staleTime: 60_000 }));
  const kinds = (types.data?.data ?? []).flatMap((each) =>
    each.subtypes.map((subtype) => ({
      value: `${each.type}/${subtype}`,
      label: `${each.type} / ${subtype}`,
      hint: each.class,
    })),
  );
  const writable = applications.filter((each) => canIn("templates:write", each.unitId));
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-xs text-ink-muted">
        What the template is for. Can't be changed later, because requests use it to find the template.
      </p>
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
      <Field label="Application" error={problems["/application"]}>
        {(control) => (
          <Select
            {...control}
            invalid={control["aria-invalid"]}
            value={draft.application}
            onValueChange={(application) => onChange({ application })}
            options={writable.map((each) => ({ value: each.name, label: each.title }))}
          />
        )}
      </Field>
      <Field label="Name" hint="What requests call it, like order-shipped" error={problems["/name"]}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Notification type"
        error={problems["/notificationType"] ?? problems["/notificationSubtype"]}
      >
        {(control) => (
          <Select
            {...control}
            invalid={control["aria-invalid"]}
            value={draft.kind}
            onValueChange={(kind) => onChange({ kind })}
            options={kinds}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-2">
        <Field label="Region" hint="Empty: any" error={problems["/region"]}>
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
        <Field label="Language" hint="Empty: any" error={problems["/language"]}>
          {(control) => (
            <Input
              {...control}
              value={draft.language}
              onChange={(event) => onChange({ language: event.target.value.toLowerCase().slice(0, 2) })}
              placeholder="en"
              autoComplete="off"
              autoCapitalize="none"
            />
          )}
        </Field>
      </div>
      <Field
        label="Provider"
        optional
        hint="Only for messages that go through this adapter. Empty: any."
        error={problems["/provider"]}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.provider}
            onChange={(event) => onChange({ provider: event.target.value.toLowerCase() })}
            placeholder="twilio"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
    </div>
  );
}
