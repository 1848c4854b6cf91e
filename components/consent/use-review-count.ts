"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

/** How many messages of recipients wait for a decision whether they are opt-outs; asks again every half minute. */
export function useReviewCount(): number {
  const { can, environment } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.consent.reviewCount.queryOptions(
      { environmentId: environment.id },
      { enabled: can("consent:write"), refetchInterval: 30_000 },
    ),
  );
  return query.data?.count ?? 0;
}
