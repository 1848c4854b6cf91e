"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { retentionSchema, type AuditIntegrity } from "../../server/audit/schemas.ts";
import { retentionMonths } from "../../server/audit/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Facts } from "../ui/card.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { RelativeTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** What the trail is verified with, and how long it is kept. */
export function IntegrityDialog({ integrity, onClose }: { integrity: AuditIntegrity; onClose: () => void }) {
  const { canIn } = usePortal();
  const [changing, setChanging] = useState(false);
  const { checkpoint, purged, verified, retentionMonths: months } = integrity;
  if (changing) return <RetentionDialog months={months} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="How the audit trail is protected"
      description="Every entry contains a keyed hash of itself and the previous entry. The latest one is signed every five minutes. Changing, adding or removing an entry breaks the chain."
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Facts
          items={[
            { label: "Entries", value: formatNumber(integrity.entries) },
            {
              label: "Verified",
              value: verified ? (
                <>
                  up to {formatNumber(verified.sequence)}, <RelativeTime value={verified.at} />
                </>
              ) : (
                "not yet"
              ),
            },
            {
              label: "Last signed",
              value: checkpoint.at ? <RelativeTime value={checkpoint.at} /> : "not yet",
            },
            {
              label: "Signatures in a file",
              value: checkpoint.filedAt ? (
                <RelativeTime value={checkpoint.filedAt} />
              ) : (
                <span className="text-warning-text">
                  Not configured. Ask your operator, or subscribe a webhook endpoint to audit.checkpoint.
                </span>
              ),
            },
            {
              label: "Kept for",
              value: (
                <span className="flex flex-wrap items-center gap-x-3">
                  {plural(months, "month")}
                  {canIn("settings:manage", null) && integrity.entries > 0 ? (
                    <Button variant="link" onClick={() => setChanging(true)}>
                      Change…
                    </Button>
                  ) : null}
                </span>
              ),
            },
            purged
              ? {
                  label: "Deleted after retention",
                  value: `up to entry ${formatNumber(purged.sequence)}, with a signed note`,
                }
              : null,
          ]}
        />
        {checkpoint.publicKey ? (
          <div>
            <p className="mb-1.5 text-sm font-medium">Public key of this installation</p>
            <CodeBlock code={checkpoint.publicKey} label="Public key" />
            <p className="mt-1.5 text-xs text-ink-muted">
              Keep a copy elsewhere. A signature only proves something if you knew the key before.
            </p>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}

function RetentionDialog({ months, onClose }: { months: number; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("audit");
  const save = useMutation(trpc.audit.setRetention.mutationOptions());
  const form = useOperationForm({
    schema: retentionSchema,
    defaultValues: { months: String(months) },
    input: ({ months: typed }) => ({ months: Number(typed) }),
    send: async (input) => {
      await save.mutateAsync(input);
      toast.success(`Entries are kept for ${plural(input.months, "month")}`);
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Keep audit entries for"
      description="Older entries are permanently deleted within an hour, oldest first."
      submitLabel="Save"
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="months"
        label="Months"
        hint={`From ${retentionMonths.min} to ${retentionMonths.max}`}
        inputMode="numeric"
        className="w-32"
      />
    </FormDialog>
  );
}
