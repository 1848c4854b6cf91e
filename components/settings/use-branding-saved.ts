"use client";

import { useQueryClient } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import type { Branding } from "../../server/workspace/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useSetUpChanged } from "./use-set-up-changed.ts";

/** After a change of the branding: says so and shows it, also around the page. */
export function useBrandingSaved(): (saved: Branding, message: string) => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const changed = useSetUpChanged();
  return (saved, message) => {
    queryClient.setQueryData(trpc.branding.get.queryKey(), saved);
    toast.success(message);
    return changed();
  };
}
