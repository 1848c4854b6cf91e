"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { BoardRow } from "../../server/pipelines/schemas.ts";
import { promotionLimits } from "../../server/pipelines/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";

/** Every row that differs somewhere, page after page, until there are more than one promotion can move. */
export function useDifferingRows(
  application: string,
  enabled: boolean,
): { rows: readonly BoardRow[] | undefined; error: unknown } {
  const trpc = useTRPC();
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    trpc.pipelines.board.infiniteQueryOptions(
      { application, differing: true, limit: 200 },
      { enabled, getNextPageParam: (page) => page.nextCursor, gcTime: 0, refetchOnWindowFocus: false },
    ),
  );
  const rows = data?.pages.flatMap((page) => page.data);
  const more = hasNextPage && (rows?.length ?? 0) <= promotionLimits.templates;
  useEffect(() => {
    if (enabled && more && !isFetching && !error) void fetchNextPage();
  }, [enabled, more, isFetching, error, fetchNextPage]);
  return { rows: more ? undefined : rows, error };
}
