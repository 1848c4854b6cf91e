"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import type { z } from "zod";
import { consentByHandSchema } from "../../server/consent/schemas.ts";
import { consentLimits } from "../../server/consent/vocabulary.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { PlaceField } from "../ui/place-input.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { classes, classWords } from "./consent-words.ts";

type Input = z.input<typeof consentByHandSchema>;

/** A select has no value for "all". */
const all = "all";

/** What a recipient has told somebody, and why they write it down. */
export function RecordConsentDialog({
  address,
  onClose,
  onRecorded,
}: {
  /** Empty: to be typed. */
  address: string;
  onClose: () => void;
  onRecorded: (address: string) => void;
}) {
  const { environment } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("consent", "conversations");
  const record = useMutation(trpc.consent.recordByHand.mutationOptions());
  const form = useOperationForm({
    schema: consentByHandSchema,
    defaultValues: {
      address,
      channel: address === "" || address.includes("@") ? "email" : "sms",
      state: "opted_out",
      class: all,
      region: all,
      reason: "",
    },
    input: (values) => ({
      environmentId: environment.id,
      address: values.address,
      channel: values.channel as Input["channel"],
      state: values.state as Input["state"],
      class: values.class === all ? null : (values.class as Input["class"]),
      region: values.region === all ? null : values.region,
      reason: values.reason,
    }),
    send: async (input) => {
      await record.mutateAsync(input);
      toast.success(input.state === "opted_out" ? "Opt-out recorded" : "Opt-in recorded");
      onRecorded(input.address.trim());
      await refresh();
    },
  });
  const { state, class: of, reason = "" } = useWatch({ control: form.control });
  return (
    <FormDialog
      form={form}
      title="Record consent"
      description={
        environment.kind === "sandbox"
          ? "Applies in the sandbox only."
          : "Applies immediately in all environments except the sandbox. The history keeps your name."
      }
      submitLabel={state === "opted_in" ? "Record opt-in" : "Record opt-out"}
      disabled={reason.trim() === ""}
      formClassName="grid gap-4 sm:grid-cols-2"
      onClose={onClose}
    >
      <TextField
        {...form.field("address")}
        label="Address"
        className="sm:col-span-2"
        placeholder="ada@example.com or +4915112345678"
        maxLength={320}
        autoComplete="off"
        spellCheck={false}
      />
      <SelectField
        {...form.field("channel")}
        label="Channel"
        options={channels.map((value) => ({ value, label: channelLabel(value) }))}
      />
      <SelectField
        {...form.field("state")}
        label="Opt-in or opt-out"
        options={[
          { value: "opted_out", label: "They opt out" },
          { value: "opted_in", label: "They opt in" },
        ]}
      />
      <SelectField
        {...form.field("class")}
        label="Class"
        options={[
          { value: all, label: "Every class" },
          ...classes.map((value) => ({ value, label: classWords[value].label })),
        ]}
        hint={
          of === all || of === undefined
            ? "Not only marketing"
            : classWords[of as keyof typeof classWords].says
        }
      />
      <PlaceField
        {...form.field("region")}
        kind="region"
        label="Region"
        none={{ value: all, label: "Every region" }}
      />
      <TextareaField
        {...form.field("reason")}
        label="Reason"
        className="sm:col-span-2"
        hint={
          state === "opted_in"
            ? "When and how they agreed, as evidence."
            : "For example: by phone, on Monday."
        }
        maxLength={consentLimits.reason}
        rows={3}
        required
      />
    </FormDialog>
  );
}
