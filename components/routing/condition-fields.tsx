"use client";

import type { RuleChoices } from "../../server/routing/schemas.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal, usePortalData } from "../portal/portal-context.tsx";
import { withChosen } from "../portal/with-chosen.ts";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import type { Draft } from "./rule-draft.ts";
import { PlaceInput } from "../ui/place-input.tsx";

const any = "*";

/** The five conditions and, for rules with equally many, the priority. */
export function ConditionFields({
  draft,
  choices,
  wrong,
  everywhere,
  onChange,
}: {
  draft: Draft;
  choices: RuleChoices;
  wrong: Record<string, string>;
  everywhere: boolean;
  onChange: (change: Partial<Draft>) => void;
}) {
  const { applications, canIn } = usePortal();
  const subtypes =
    choices.notificationTypes.find((each) => each.type === draft.notificationType)?.subtypes ?? [];
  const { applications: all } = usePortalData();
  const own = withChosen(
    applications.filter((each) => canIn("routing:manage", each.unitId)),
    all,
    draft.application,
  );
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
      <Field
        label="Application"
        error={wrong.application}
        hint={everywhere ? undefined : "You can only choose applications of your team."}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.application ?? any}
            onValueChange={(next) => onChange({ application: next === any ? null : next })}
            options={[
              ...(everywhere || draft.application === null
                ? [{ value: any, label: "Any application", disabled: !everywhere }]
                : []),
              ...own.map((each) => ({ value: each.name, label: each.title })),
            ]}
          />
        )}
      </Field>
      <Field label="Channel" error={wrong.channel}>
        {(control) => (
          <Select
            {...control}
            value={draft.channel ?? any}
            onValueChange={(next) => onChange({ channel: next === any ? null : (next as Draft["channel"]) })}
            options={[
              { value: any, label: "Any channel" },
              ...channels.map((each) => ({ value: each, label: channelLabel(each) })),
            ]}
          />
        )}
      </Field>
      <Field label="Region" error={wrong.region}>
        {(control) => (
          <PlaceInput
            kind="region"
            {...control}
            value={draft.region ?? ""}
            onValueChange={(region) => onChange({ region: region === "" ? null : region })}
            none={{ value: "", label: "Any region" }}
            preferred={choices.regions}
          />
        )}
      </Field>
      <Field label="Notification type" error={wrong.notificationType}>
        {(control) => (
          <Select
            {...control}
            value={draft.notificationType ?? any}
            onValueChange={(next) =>
              onChange({ notificationType: next === any ? null : next, notificationSubtype: null })
            }
            options={[
              { value: any, label: "Any type" },
              ...choices.notificationTypes.map(({ type }) => ({ value: type, label: type })),
            ]}
          />
        )}
      </Field>
      <Field label="Subtype" error={wrong.notificationSubtype}>
        {(control) => (
          <Select
            {...control}
            value={draft.notificationSubtype ?? any}
            disabled={draft.notificationType === null}
            onValueChange={(next) => onChange({ notificationSubtype: next === any ? null : next })}
            options={[
              { value: any, label: "Any subtype" },
              ...subtypes.map((each) => ({ value: each, label: each })),
            ]}
          />
        )}
      </Field>
      <Field
        label="Priority"
        error={wrong.priority}
        hint="Among equally specific rules, the lower number wins."
      >
        {(control) => (
          <Input
            {...control}
            type="number"
            min={1}
            max={1_000_000}
            step={1}
            value={String(draft.priority)}
            onChange={(event) => {
              const next = Math.round(Number(event.target.value));
              if (next >= 0 && next <= 1_000_000) onChange({ priority: next });
            }}
          />
        )}
      </Field>
    </div>
  );
}
