"use client";

import { X } from "lucide-react";
import { useWatch } from "react-hook-form";
import type { z } from "zod";
import { quietRuleSchema, type QuietRule } from "../../server/recipient-limits/schemas.ts";
import { limitBounds, limitedClasses, weekdaysFromMonday } from "../../server/recipient-limits/vocabulary.ts";
import { classWords, regionName } from "../consent/consent-words.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { PlaceInput } from "../ui/place-input.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { ChoicesField } from "./choices-field.tsx";
import { dayWords, quietSentence } from "./limit-words.ts";

type Input = z.input<typeof quietRuleSchema>;

const everyNight: QuietRule = {
  classes: ["marketing"],
  channels: [],
  regions: [],
  days: [...weekdaysFromMonday],
  from: "20:00",
  to: "08:00",
};

/** One rule for quiet hours; what is taken is saved with the page. */
export function QuietRuleDialog({
  rule,
  onClose,
  onTake,
}: {
  /** Null: a new one. */
  rule: QuietRule | null;
  onClose: () => void;
  onTake: (rule: QuietRule) => void;
}) {
  const start = rule ?? everyNight;
  const form = useOperationForm({
    schema: quietRuleSchema,
    defaultValues: {
      classes: start.classes,
      channels: start.channels,
      regions: start.regions,
      days: start.days,
      allDay: start.from === "00:00" && start.to === "24:00",
      from: start.from,
      to: start.to === "24:00" ? "00:00" : start.to,
    },
    input: (values): Input => ({
      classes: values.classes,
      channels: values.channels,
      regions: values.regions,
      days: values.days,
      from: values.allDay ? "00:00" : values.from,
      to: values.allDay ? "24:00" : values.to,
    }),
    // A rule that differs from its pack is the organisation's own.
    send: (input) => {
      onTake(quietRuleSchema.parse(input));
      return Promise.resolve();
    },
  });
  const values = useWatch({ control: form.control });
  const read = quietRuleSchema.safeParse({
    classes: values.classes,
    channels: values.channels,
    regions: values.regions,
    days: values.days,
    from: values.allDay ? "00:00" : values.from,
    to: values.allDay ? "24:00" : values.to,
  });
  return (
    <FormDialog
      form={form}
      title={rule ? "Edit quiet hours" : "Add quiet hours"}
      submitLabel={rule ? "Change" : "Add"}
      onClose={onClose}
    >
      <ChoicesField
        {...form.field("classes")}
        label="Messages that wait"
        hint="One-time codes and sign-in links are never held."
        options={limitedClasses.toReversed().map((of) => ({ value: of, label: classWords[of].label }))}
      />
      <ChoicesField
        {...form.field("channels")}
        label="Channels"
        hint="Leave empty for all channels."
        options={channels.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
      />
      <FormField
        {...form.field("regions")}
        label="Regions"
        hint="The region a message is sent for. Leave empty for all regions."
      >
        {(ids, field) => {
          const chosen: readonly string[] = field.value;
          return (
            <div className="grid gap-2">
              <PlaceInput
                kind="region"
                {...ids}
                ref={field.ref}
                value=""
                placeholder="Add region…"
                disabled={chosen.length >= limitBounds.regions}
                onValueChange={(code) => field.onChange([...chosen, code])}
                without={chosen}
              />
              {chosen.length > 0 ? (
                <ul aria-label="Selected regions" className="flex flex-wrap gap-1.5">
                  {chosen.map((code) => (
                    <li
                      key={code}
                      className="inline-flex h-6 items-center gap-1 rounded-sm bg-neutral-soft pr-0.5 pl-2 text-xs"
                    >
                      {regionName(code)}
                      <button
                        type="button"
                        aria-label={`Remove ${regionName(code)}`}
                        className="grid size-5 place-items-center rounded-sm text-ink-muted hover:text-ink"
                        onClick={() => field.onChange(chosen.filter((each) => each !== code))}
                      >
                        <X className="size-3" aria-hidden />
                      </button>
                    </li>
                  ))}
                </ul>
              ) : null}
            </div>
          );
        }}
      </FormField>
      <ChoicesField
        {...form.field("days")}
        label="Start days"
        options={weekdaysFromMonday.map((day) => ({ value: day, label: dayWords[day].short }))}
      />
      <CheckboxField
        label="All day"
        checked={values.allDay === true}
        onChange={(allDay) => form.setValue("allDay", allDay)}
      />
      {values.allDay ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field("from")} label="From" type="time" />
          <TextField
            {...form.field("to")}
            label="To"
            type="time"
            hint="In the recipient's time zone. A time before the start is on the next day."
          />
        </div>
      )}
      <p aria-live="polite" className="rounded-md bg-sunken px-3 py-2 text-sm">
        {read.success ? quietSentence(read.data) : "Fill in all fields to see what it does."}
      </p>
    </FormDialog>
  );
}
