"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

/** Of 200 templates each; of more templates, the oldest are not offered. */
const mostPages = 10;

/** The templates of an application that are live in the environment, page after page until all are there; none without one. */
export function useLiveTemplates(application: string | undefined) {
  const { environment } = usePortal();
  const trpc = useTRPC();
  const { data, error, isError, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    trpc.templates.list.infiniteQueryOptions(
      { application, liveIn: environment.id, limit: 200 },
      {
        enabled: application !== undefined,
        getNextPageParam: ({ nextCursor }, pages) => (pages.length < mostPages ? nextCursor : null),
      },
    ),
  );
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return {
    templates: data?.pages.flatMap((page) => page.data) ?? [],
    /** Nothing more is to come. */
    complete: application === undefined || (data !== undefined && (!hasNextPage || isError)),
    /** Why there are none at all. */
    error: data === undefined ? error : null,
    refetch,
  };
}
