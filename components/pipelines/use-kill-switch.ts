import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { toast } from "../ui/toast.ts";

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
