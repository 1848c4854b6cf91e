"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { BoardRow } from "../../server/pipelines/schemas.ts";
import { promotionLimits } from "../../server/pipelines/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { canMove, type StagePair } from "./stages.ts";

/** Every row that a step could move, page after page, until there are more than one promotion can move. */
export function useDifferingRows(
  application: string,
  pair: StagePair,
  enabled: boolean,
): { rows: readonly BoardRow[] | undefined; error: unknown } {
  const trpc = useTRPC();
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    trpc.pipelines.board.infiniteQueryOptions(
      { application, differing: true, limit: 200 },
      { enabled, getNextPageParam: (page) => page.nextCursor, gcTime: 0, refetchOnWindowFocus: false },
    ),
  );
  // A page holds what differs between any two stages.
  const rows = data?.pages.flatMap((page) => page.data.filter((row) => canMove(row, pair)));
  const more = hasNextPage && (rows?.length ?? 0) <= promotionLimits.templates;
  useEffect(() => {
    if (enabled && more && !isFetching && !error) void fetchNextPage();
  }, [enabled, more, isFetching, error, fetchNextPage]);
  return { rows: more ? undefined : rows, error };
}
