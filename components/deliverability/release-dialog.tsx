"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { holdReleaseSchema } from "../../server/deliverability/schemas.ts";
import { groupName, mailThresholds } from "../../server/deliverability/vocabulary.ts";
import type { GroupStanding } from "../../server/deliverability/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField } from "../ui/form-fields.tsx";
import { formatPercent } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** Lets marketing go out again although the rate is too high. */
export function ReleaseDialog({ standing, onClose }: { standing: GroupStanding; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { group, cause, complaintRate, bounceRate } = standing;
  const release = useMutation(trpc.deliverability.release.mutationOptions());
  const form = useOperationForm({
    schema: holdReleaseSchema,
    defaultValues: { note: "" },
    input: ({ note }: { note: string }) => ({ group, note }),
    send: async (input) => {
      await release.mutateAsync(input);
      await client.invalidateQueries({ queryKey: trpc.deliverability.get.queryKey() });
      toast.success(`Marketing to ${groupName(group)} resumes within two minutes`);
      onClose();
    },
  });
  const rate =
    cause === "bounces"
      ? `${formatPercent(bounceRate ?? 0, 1)} of e-mails bounced`
      : `${formatPercent(complaintRate ?? 0, 2)} of e-mails were reported as spam`;
  return (
    <FormDialog
      form={form}
      title={`Release marketing to ${groupName(group)}`}
      description={`${rate}. If you release it, waiting messages are sent and nothing is held for ${String(mailThresholds.acceptedHours)} hours, whatever the rate. Mailbox providers that keep seeing such rates may block all your e-mail, including one-time codes.`}
      submitLabel="Release"
      onClose={onClose}
    >
      <TextareaField
        {...form.field("note")}
        label="Why"
        hint="What caused it and what you changed. Kept in the audit trail."
        rows={3}
      />
    </FormDialog>
  );
}
