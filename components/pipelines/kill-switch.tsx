"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { killSwitchSchema } from "../../server/templates/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** One template in one environment. */
export type SwitchTarget = {
  templateId: string;
  name: string;
  environment: { id: string; name: string };
};

/** Switches a template off or on in an environment, at once, and offers to undo what was just done. */
export function useKillSwitch() {
  const trpc = useTRPC();
  const refresh = useRefresh("pipelines", "templates");
  const mutation = useMutation(trpc.templates.setKillSwitch.mutationOptions());

  async function set(target: SwitchTarget, disabled: boolean, reason?: string, undoable = true) {
    await mutation.mutateAsync({
      id: target.templateId,
      environment: target.environment.id,
      disabled,
      ...(reason ? { reason } : {}),
    });
    const undo = () => {
      set(target, !disabled, undefined, false).catch((error: unknown) => toast.error(errorText(error)));
    };
    toast.success(
      disabled
        ? `${target.name} is switched off in ${target.environment.name}`
        : `${target.name} is switched on again in ${target.environment.name}`,
      // Switching off again would need its reason again, so only that direction can be taken back.
      undoable && disabled ? { action: { label: "Undo", onClick: undo }, duration: 10_000 } : {},
    );
    await refresh();
  }
  return { set, pending: mutation.isPending };
}

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
