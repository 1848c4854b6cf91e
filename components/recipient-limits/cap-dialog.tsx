"use client";

import { useWatch } from "react-hook-form";
import type { z } from "zod";
import { capSchema, type Cap } from "../../server/recipient-limits/schemas.ts";
import { limitedClasses } from "../../server/recipient-limits/vocabulary.ts";
import { classWords } from "../consent/consent-words.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { capSentence } from "./limit-words.ts";

type Input = z.input<typeof capSchema>;

/** A select has no value for "all". */
const all = "all";
const digits = (typed: string) => typed.replaceAll(/\D/g, "");

/** One frequency cap; what is taken is saved with the page. */
export function CapDialog({
  cap,
  onClose,
  onTake,
}: {
  /** Null: a new one. */
  cap: Cap | null;
  onClose: () => void;
  onTake: (cap: Cap) => void;
}) {
  const days = cap === null || cap.hours % 24 === 0;
  const inputOf = (values: {
    class?: string;
    channel?: string;
    most?: string;
    period?: string;
    unit?: string;
    over?: string;
  }): Input => ({
    class: values.class as Input["class"],
    channel: values.channel === all ? null : (values.channel as Input["channel"]),
    most: Number(values.most),
    hours: Number(values.period) * (values.unit === "days" ? 24 : 1),
    over: values.over as Input["over"],
  });
  const form = useOperationForm({
    schema: capSchema,
    defaultValues: {
      class: cap?.class ?? "marketing",
      channel: cap?.channel ?? all,
      most: String(cap?.most ?? 1),
      period: String(cap === null ? 1 : days ? cap.hours / 24 : cap.hours),
      unit: days ? "days" : "hours",
      over: cap?.over ?? "wait",
    },
    input: inputOf,
    shownAt: { hours: "period" },
    send: (input) => {
      onTake(capSchema.parse(input));
      return Promise.resolve();
    },
  });
  const read = capSchema.safeParse(inputOf(useWatch({ control: form.control })));
  return (
    <FormDialog
      form={form}
      title={cap ? "Edit cap" : "Add cap"}
      submitLabel={cap ? "Change" : "Add"}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field("class")}
          label="Class"
          className="w-full"
          options={limitedClasses.toReversed().map((of) => ({ value: of, label: classWords[of].label }))}
        />
        <SelectField
          {...form.field("channel")}
          label="Channel"
          options={[
            { value: all, label: "All channels together" },
            ...channels.map((channel) => ({ value: channel, label: channelLabel(channel) })),
          ]}
        />
        <TextField {...form.field("most")} label="Maximum messages" inputMode="numeric" clean={digits} />
        <div className="grid grid-cols-[minmax(0,1fr)_7rem] items-start gap-2">
          <TextField {...form.field("period")} label="Within" inputMode="numeric" clean={digits} />
          <SelectField
            {...form.field("unit")}
            label={<span className="sr-only">Unit</span>}
            options={[
              { value: "days", label: "days" },
              { value: "hours", label: "hours" },
            ]}
          />
        </div>
      </div>
      <SelectField
        {...form.field("over")}
        label="Further messages"
        hint="Messages that wait longer than their time to live expire."
        options={[
          { value: "wait", label: "Wait" },
          { value: "reject", label: "Are rejected" },
        ]}
      />
      <p aria-live="polite" className="rounded-md bg-sunken px-3 py-2 text-sm">
        {read.success ? capSentence(read.data) : "Fill in all fields to see what it does."}
      </p>
    </FormDialog>
  );
}
