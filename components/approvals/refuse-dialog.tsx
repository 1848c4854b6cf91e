"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { refuseSendSchema, type Approval } from "../../server/sending/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** Asks why an agent's messages are not to go. */
export function RefuseDialog({ approval, onClose }: { approval: Approval; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("approvals", "notifications");
  // Somebody else may have been faster: the panel behind shows how it stands now.
  const refuse = useMutation(trpc.approvals.refuse.mutationOptions({ onError: refresh }));
  const form = useOperationForm({
    schema: refuseSendSchema,
    defaultValues: { reason: "" },
    input: ({ reason }) => ({ id: approval.id, reason: reason.trim() }),
    send: async (input) => {
      await refuse.mutateAsync(input);
      onClose();
      toast.success("Rejected. Nothing was sent");
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Reject ${plural(approval.messages, "message")}?`}
      description="They are never sent. The agent sees the reason."
      submitLabel="Reject"
      danger
      onClose={onClose}
    >
      <TextareaField {...form.field("reason")} label="Reason" maxLength={500} required autoFocus />
    </FormDialog>
  );
}
