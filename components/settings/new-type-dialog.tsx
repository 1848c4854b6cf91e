"use client";

import { useMutation } from "@tanstack/react-query";
import { createNotificationTypeSchema } from "../../server/tenancy/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { classes, classOptions, namesOf, readClass } from "./notification-classes.ts";
import { useSaved } from "./use-set-up-changed.ts";

/** Creates a notification type with its subtypes, wherever one is missing. */
export function NewType({
  start = { type: "", subtypes: "" },
  onClose,
  onCreated,
}: {
  /** What was typed already. */
  start?: { type: string; subtypes: string };
  onClose: () => void;
  onCreated?: (type: { type: string; subtypes: string[] }) => void;
}) {
  const trpc = useTRPC();
  const saved = useSaved(onClose);
  const create = useMutation(trpc.tenancy.createNotificationType.mutationOptions());
  const form = useOperationForm({
    schema: createNotificationTypeSchema,
    defaultValues: { ...start, class: "transactional" },
    input: (values) => ({
      type: values.type.trim(),
      class: readClass(values.class),
      subtypes: namesOf(values.subtypes),
    }),
    send: async (input) => {
      await create.mutateAsync(input);
      await saved(`Type ${input.type} created`);
      onCreated?.(input);
    },
  });
  return (
    <FormDialog
      form={form}
      title="New notification type"
      description="Requests specify a type and subtype. Each template is for one of them."
      submitLabel="Create type"
      onClose={onClose}
    >
      <TextField
        {...form.field("type")}
        label="Name"
        hint="Used in requests. Can't be changed later."
        placeholder="order"
        maxLength={64}
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectField
        {...form.field("class")}
        label="Class"
        hint={classes[readClass(form.watch("class"))].says}
        options={classOptions}
      />
      <TextareaField
        {...form.field("subtypes")}
        label="Subtypes"
        hint="Lower-case letters, digits and underscores, one per line."
        placeholder={"order_status\nreceipt"}
        rows={4}
        autoCapitalize="none"
        spellCheck={false}
        inputClassName="font-mono"
      />
    </FormDialog>
  );
}
