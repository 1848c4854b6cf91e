"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { updateNotificationTypeSchema } from "../../server/tenancy/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { namesOf } from "./notification-classes.ts";
import { useSaved } from "./use-set-up-changed.ts";

/** Adds a subtype to a notification type that exists. */
export function NewSubtype({
  type,
  start,
  onClose,
  onCreated,
}: {
  type: string;
  /** What was typed already. */
  start: string;
  onClose: () => void;
  onCreated: (type: { type: string; subtypes: string[] }) => void;
}) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const saved = useSaved(onClose);
  const update = useMutation(trpc.tenancy.updateNotificationType.mutationOptions());
  const form = useOperationForm({
    schema: updateNotificationTypeSchema.pick({ subtypes: true }),
    defaultValues: { subtypes: start },
    input: (values) => ({ subtypes: namesOf(values.subtypes) }),
    send: async ({ subtypes }) => {
      // A change names all subtypes, so it starts from those that there are now.
      const { data } = await client.query(
        trpc.tenancy.notificationTypes.queryOptions(undefined, { staleTime: 0 }),
      );
      const now = data.find((each) => each.type === type);
      if (!now) throw new Error(`The type ${type} does not exist any more.`);
      await update.mutateAsync({
        id: now.id,
        class: now.class,
        subtypes: [...new Set([...now.subtypes, ...subtypes])],
        expected: { class: now.class, subtypes: now.subtypes },
      });
      await saved(`${type} / ${subtypes.join(", ")} created`);
      onCreated({ type, subtypes });
    },
  });
  return (
    <FormDialog form={form} title={`New subtype of ${type}`} submitLabel="Create subtype" onClose={onClose}>
      <TextField
        {...form.field("subtypes")}
        label="Subtype"
        hint="Lower-case letters, digits and underscores."
        placeholder="order_status"
        maxLength={64}
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}
