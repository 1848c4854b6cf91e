"use client";

import { killSwitchSchema } from "../../server/templates/schemas.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { useKillSwitch, type SwitchTarget } from "./use-kill-switch.ts";

/** Asks why before a template is switched off. */
export function KillSwitchDialog({ target, onClose }: { target: SwitchTarget; onClose: () => void }) {
  const { set } = useKillSwitch();
  const form = useOperationForm({
    schema: killSwitchSchema.pick({ reason: true }),
    defaultValues: { reason: "" },
    input: ({ reason }) => ({ reason: reason.trim() }),
    send: async ({ reason }) => {
      await set(target, true, reason);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Switch off ${target.name} in ${target.environment.name}?`}
      description="Takes effect immediately. Waiting messages with it are not sent. New requests use the next matching template or are refused."
      submitLabel="Switch off"
      danger
      onClose={onClose}
    >
      <TextField
        {...form.field("reason")}
        label="Reason"
        optional
        hint="Visible to everyone with access to the pipeline."
        maxLength={500}
        placeholder="Wrong price in the text"
        autoFocus
      />
    </FormDialog>
  );
}
