"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { BoardRow } from "../../server/pipelines/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { readsOn, type StagePair } from "./stages.ts";

/** Every row that differs between any two stages, page after page, until a step has more than one promotion can move. */
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
  const rows = data?.pages.flatMap((page) => page.data);
  const more = readsOn(rows ?? [], pair, hasNextPage);
  useEffect(() => {
    if (enabled && more && !isFetching && !error) void fetchNextPage();
  }, [enabled, more, isFetching, error, fetchNextPage]);
  return { rows: more ? undefined : rows, error };
}
