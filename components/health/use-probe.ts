"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { named } from "../ui/isolated.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";

/** Probes an unavailable connection within seconds; its outcome shows wherever its state does. */
export function useProbe(name: string) {
  const trpc = useTRPC();
  const client = useQueryClient();
  return useMutation(
    trpc.health.probe.mutationOptions({
      onSuccess: () => toast.success(`Probing ${named(name)}: result in a moment`),
      onError: (error) => toast.error(errorText(error)),
      onSettled: () =>
        Promise.all([
          client.invalidateQueries({ queryKey: trpc.health.pathKey() }),
          client.invalidateQueries({ queryKey: trpc.notifications.outage.queryKey() }),
        ]),
    }),
  );
}
