"use client";

import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect } from "react";
import { channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

const pollMs = 4_000;

const parsers = {
  q: parseAsString.withDefault(""),
  channel: parseAsStringLiteral(channels),
  application: parseAsString,
  open: parseAsString,
};

/** What the page shows, all of it in the URL. */
export function useConversationFilters() {
  const [values, setValues] = useQueryStates(parsers, { history: "push" });
  return {
    values,
    narrowed: values.q !== "" || values.channel !== null || values.application !== null,
    change: (next: Partial<Pick<typeof values, "channel" | "application">> & { q?: string | null }) =>
      void setValues({ ...next, open: null }),
    setOpen: (open: string | null) => void setValues({ open }, { history: values.open ? "replace" : "push" }),
    clear: () => void setValues({ q: null, channel: null, application: null }),
  };
}
type ConversationFilters = ReturnType<typeof useConversationFilters>;

/** The conversations of the chosen environment, the one last written in first; follows what arrives. */
export function useConversations({ values }: ConversationFilters) {
  const { environment, unit } = usePortal();
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.conversations.list.infiniteQueryOptions(
      {
        environmentId: environment.id,
        unitId: unit?.id,
        channel: values.channel ?? undefined,
        application: values.application ?? undefined,
        address: values.q === "" ? undefined : values.q,
      },
      {
        getNextPageParam: (page) => page.nextCursor,
        refetchInterval: pollMs,
        placeholderData: keepPreviousData,
      },
    ),
  );
  // Whoever writes while somebody pages down would otherwise be there twice.
  const seen = new Set<string>();
  const conversations = query.data?.pages
    .flatMap((page) => page.data)
    .filter((each) => !seen.has(each.id) && seen.add(each.id));
  return { query, conversations };
}

/** What was said in one, newest first; follows what arrives. */
export function useThread(id: string) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.conversations.messages.infiniteQueryOptions(
      { id },
      { getNextPageParam: (page) => page.nextCursor, refetchInterval: pollMs },
    ),
  );
  return { query, messages: query.data?.pages.flatMap((page) => page.data) };
}

/** Somebody sees it: it is no longer unread, for anybody. */
export function useMarkRead(id: string, unread: number): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate } = useMutation(
    trpc.conversations.markRead.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.conversations.list.pathKey() }),
    }),
  );
  useEffect(() => {
    if (unread > 0) mutate({ id });
  }, [id, unread, mutate]);
}
