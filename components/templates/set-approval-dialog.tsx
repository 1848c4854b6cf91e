"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { whatsappApprovalSetSchema, type Template } from "../../server/templates/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { toast } from "../ui/toast.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { approvalLabels, type ApprovalStatus } from "./approval-badge.tsx";

const statuses = Object.keys(approvalLabels) as ApprovalStatus[];
const needsReason = (status: ApprovalStatus) => status === "rejected" || status === "paused";

/** Sets by hand what the provider says of an approved WhatsApp template. */
export function SetApprovalDialog({
  templateId,
  reference,
  approval,
  onClose,
}: {
  templateId: string;
  reference: { templateName: string; language: string };
  approval: NonNullable<Template["whatsappApproval"]>;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("templates");
  const save = useMutation(trpc.templates.setWhatsappApproval.mutationOptions());
  const form = useOperationForm({
    schema: whatsappApprovalSetSchema,
    defaultValues: { status: approval.status, reason: approval.reason ?? "" },
    input: ({ status, reason }) => ({
      ...reference,
      status,
      reason: (needsReason(status) && reason.trim()) || undefined,
    }),
    send: async (input) => {
      const set = await save.mutateAsync({ templateId, ...input });
      onClose();
      toast.success(`WhatsApp approval set to ${approvalLabels[set.status].label.toLowerCase()}`);
      await refresh();
    },
  });
  const status = useWatch({ control: form.control, name: "status" });
  return (
    <FormDialog
      form={form}
      title="Set the WhatsApp approval"
      description="Enter the status you saw at the provider. It is kept until the next check. The audit trail shows who set it."
      submitLabel="Set"
      onClose={onClose}
    >
      <SelectField
        {...form.field("status")}
        label="Status"
        options={statuses.map((value) => ({ value, label: approvalLabels[value].label }))}
      />
      {needsReason(status) ? (
        <TextField
          {...form.field("reason")}
          label="Reason"
          optional
          hint="As reported by the provider."
          maxLength={1_000}
        />
      ) : null}
    </FormDialog>
  );
}
