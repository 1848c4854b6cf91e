"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { suppressionRemovalSchema, type SuppressedAddress } from "../../server/consent/schemas.ts";
import { suppressionLimits } from "../../server/consent/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField } from "../ui/form-fields.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

const warnings: Record<SuppressedAddress["reason"], string> = {
  hard_bounce:
    "Its server reported that it doesn't exist. If that's still the case, sending to it harms your sending domain.",
  complaint:
    "The recipient reported a message as spam. Only remove it if they asked for messages again, and say how you know.",
  soft_bounces: "Five messages in a row bounced. If the next one does too, it is suppressed again.",
  manual: "It was added manually.",
};

/** Lets an address be written to again. */
export function RemoveSuppressionDialog({
  suppression,
  revealed,
  onClose,
}: {
  suppression: SuppressedAddress;
  revealed: boolean;
  onClose: () => void;
}) {
  const { environment } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("suppressions", "consent");
  const remove = useMutation(trpc.suppressions.remove.mutationOptions());
  const complaint = suppression.reason === "complaint";
  const form = useOperationForm({
    schema: suppressionRemovalSchema,
    defaultValues: { reason: "" },
    input: ({ reason }) => ({
      environmentId: environment.id,
      id: suppression.id,
      ...(reason.trim() === "" ? {} : { reason }),
    }),
    send: async (input) => {
      await remove.mutateAsync(input);
      toast.success("Suppression removed");
      onClose();
      await refresh();
    },
  });
  const { reason = "" } = useWatch({ control: form.control });
  return (
    <FormDialog
      form={form}
      title="Remove suppression?"
      description={<MaskedValue value={suppression.address} masked={!revealed} className="break-all" />}
      submitLabel="Remove"
      danger
      disabled={complaint && reason.trim() === ""}
      onClose={onClose}
    >
      <p className="text-sm text-ink-muted">
        {suppression.note === null ? warnings[suppression.reason] : `Its note says: ${suppression.note}`}
      </p>
      <TextareaField
        {...form.field("reason")}
        label="Reason"
        optional={!complaint}
        hint="Kept in the audit trail."
        maxLength={suppressionLimits.reason}
        rows={2}
        required={complaint}
      />
    </FormDialog>
  );
}
