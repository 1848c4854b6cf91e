"use client";

import { channelLabel, channels } from "../../messages/channel.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Select } from "../../ui/select.tsx";
import type { Draft } from "../draft.ts";
import { KindField } from "./kind-field.tsx";
import type { FieldProblems } from "./validate-draft.ts";
import { PlaceInput } from "../../ui/place-input.tsx";

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
      <KindField
        value={draft.kind}
        onChange={(kind) => onChange({ kind })}
        error={problems["/notificationType"] ?? problems["/notificationSubtype"]}
      />
      <div className="grid grid-cols-2 gap-2">
        <Field label="Region" error={problems["/region"]}>
          {(control) => (
            <PlaceInput
              kind="region"
              {...control}
              value={draft.region}
              onValueChange={(region) => onChange({ region })}
              none={{ value: "", label: "Any region" }}
            />
          )}
        </Field>
        <Field label="Language" error={problems["/language"]}>
          {(control) => (
            <PlaceInput
              kind="language"
              {...control}
              value={draft.language}
              onValueChange={(language) => onChange({ language })}
              none={{ value: "", label: "Any language" }}
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
