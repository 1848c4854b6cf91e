"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client.tsx";

/** Call it when a promotion changed, or turned out to have: everything that shows stages looks again. */
export function usePromotionChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all(
      [trpc.promotions, trpc.pipelines, trpc.templates, trpc.notices].map((part) =>
        queryClient.invalidateQueries({ queryKey: part.pathKey() }),
      ),
    );
  };
}
