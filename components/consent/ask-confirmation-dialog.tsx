"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import type { z } from "zod";
import { confirmationAskInSchema } from "../../server/consent/schemas.ts";
import { confirmableClasses, consentLimits } from "../../server/consent/vocabulary.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { PlaceField } from "../ui/place-input.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { classWords } from "./consent-words.ts";
import { useAskingApplications } from "./use-asking-applications.ts";

type Input = z.input<typeof confirmationAskInSchema>;

/** A select has no value for "all" and "the usual". */
const all = "all";
const usual = "usual";
const times = [
  { value: "24", label: "1 day" },
  { value: "48", label: "2 days" },
  { value: "168", label: "7 days" },
  { value: "336", label: "14 days" },
];
const howTo = {
  email: "They confirm on a page linked from the e-mail.",
  sms: "They confirm by replying YES, in their language, or START.",
  whatsapp:
    "They confirm by replying YES. Only possible within 24 hours of their last message to the application.",
};

/** Asks somebody who has signed up whether it was them: the opt-in counts once they agree. */
export function AskConfirmationDialog({
  address,
  onClose,
  onAsked,
}: {
  /** Empty: to be typed. */
  address: string;
  onClose: () => void;
  onAsked: (address: string) => void;
}) {
  const { environment } = usePortal();
  const applications = useAskingApplications();
  const trpc = useTRPC();
  const refresh = useRefresh("consent");
  // However often it is pressed, they are asked once.
  const [id] = useState(() => crypto.randomUUID());
  const ask = useMutation(trpc.consent.askConfirmation.mutationOptions());
  const form = useOperationForm({
    schema: confirmationAskInSchema,
    defaultValues: {
      address,
      channel: address === "" || address.includes("@") ? "email" : "sms",
      class: "marketing",
      region: all,
      language: usual,
      application: applications[0]?.name ?? "",
      expiresInHours: "48",
      reason: "",
    },
    input: (values) => ({
      environmentId: environment.id,
      id,
      address: values.address,
      channel: values.channel as Input["channel"],
      class: values.class as Input["class"],
      region: values.region === all ? undefined : values.region,
      language: values.language === usual ? undefined : values.language,
      application: values.application,
      expiresInHours: Number(values.expiresInHours),
      evidence: { reason: values.reason.trim() },
    }),
    send: async (input) => {
      await ask.mutateAsync(input);
      toast.success("Confirmation requested");
      onAsked(input.address.trim());
      await refresh();
    },
    shownAt: { evidence: "reason" },
  });
  const { channel, class: of, reason = "" } = useWatch({ control: form.control });
  return (
    <FormDialog
      form={form}
      title="Ask for confirmation"
      description={
        environment.kind === "sandbox"
          ? "In the sandbox nobody receives the message. Its link is in the message's details."
          : "Double opt-in: the recipient gets a message, and the opt-in counts once they confirm."
      }
      submitLabel="Ask"
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
        hint={howTo[(channel ?? "email") as keyof typeof howTo]}
      />
      <SelectField
        {...form.field("class")}
        label="Class"
        options={confirmableClasses.map((value) => ({ value, label: classWords[value].label }))}
        hint={classWords[(of ?? "marketing") as keyof typeof classWords].says}
      />
      <SelectField
        {...form.field("application")}
        label="Application"
        options={applications.map(({ name, title }) => ({ value: name, label: title }))}
        hint="Sends the message."
      />
      <PlaceField
        {...form.field("region")}
        kind="region"
        label="Region"
        none={{ value: all, label: "Every region" }}
      />
      <PlaceField
        {...form.field("language")}
        kind="language"
        label="Language"
        none={{ value: usual, label: "The application's" }}
      />
      <SelectField {...form.field("expiresInHours")} label="Valid for" options={times} />
      <TextareaField
        {...form.field("reason")}
        label="How they signed up"
        className="sm:col-span-2"
        hint="Kept as evidence. For example: paper form at the counter, Monday."
        maxLength={consentLimits.evidenceText}
        rows={2}
        required
      />
    </FormDialog>
  );
}
