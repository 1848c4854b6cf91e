"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "../../server/trpc/root.ts";
import { useTRPC } from "./client.tsx";

/** To be called when something of these routers changed: whatever is shown of them is asked for anew. */
export function useRefresh(
  ...routers: readonly (keyof inferRouterInputs<AppRouter>)[]
): () => Promise<unknown> {
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  return () =>
    Promise.all(routers.map((name) => queryClient.invalidateQueries({ queryKey: trpc[name].pathKey() })));
}
