"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

/** One template in one environment. */
export type SwitchTarget = {
  templateId: string;
  name: string;
  environment: { id: string; name: string };
};

/** Switches a template off or on in an environment, at once, and offers to undo what was just done. */
export function useKillSwitch() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
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
        : `${target.name} is used again in ${target.environment.name}`,
      // Switching off again would need its reason again, so only that direction can be taken back.
      undoable && disabled ? { action: { label: "Undo", onClick: undo }, duration: 10_000 } : {},
    );
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.pipelines.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.templates.pathKey() }),
    ]);
  }
  return { set, pending: mutation.isPending, error: mutation.error };
}

/** Asks why before a template is switched off. */
export function KillSwitchDialog({ target, onClose }: { target: SwitchTarget; onClose: () => void }) {
  const { set, pending, error } = useKillSwitch();
  const [reason, setReason] = useState("");
  const formId = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Switch off ${target.name} in ${target.environment.name}?`}
      description="At once: messages that still wait with it are not sent, and new requests take the next text that fits or are refused."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="danger" pending={pending}>
            Switch off
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          // A refusal is shown in the dialog, which then stays open.
          set(target, true, reason.trim()).then(onClose, () => undefined);
        }}
      >
        {error ? <FormError title={errorText(error)} /> : null}
        <Field label="Reason" optional hint="Everybody who looks at the pipeline sees it.">
          {(control) => (
            <Input
              {...control}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              maxLength={500}
              placeholder="Wrong price in the text"
              autoFocus
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
