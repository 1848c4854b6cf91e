"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

/** How many requests of agents wait that the reader may decide on; asks again every half minute. */
export function useWaitingCount(): number {
  const { can } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.approvals.count.queryOptions(undefined, {
      enabled: can("notifications:send"),
      refetchInterval: 30_000,
    }),
  );
  return query.data?.waiting ?? 0;
}
