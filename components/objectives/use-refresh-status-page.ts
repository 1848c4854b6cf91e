import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client.tsx";

/** Reads the status page and its incidents again. */
export function useRefreshStatusPage() {
  const trpc = useTRPC();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: trpc.objectives.statusPage.queryKey() });
}
