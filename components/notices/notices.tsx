"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toast } from "../ui/toast.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useGo } from "../ui/leaving.ts";
import { noticeLine } from "./notice-text.ts";

const refetchInterval = 30_000;
/** The newest ones, asked for by everything here, so that it is one question. */
const recent = { limit: 20 };

/** How many notices are unread (100: at least that many); asked every half minute and when the window is looked at. */
export function useUnread(): number {
  const trpc = useTRPC();
  const query = useQuery(trpc.notices.unread.queryOptions(undefined, { refetchInterval }));
  return query.data?.count ?? 0;
}

/** Says aloud what arrives while the portal is open. What was there before is only counted. */
export function NoticeToasts() {
  const { environments, href } = usePortal();
  const trpc = useTRPC();
  const go = useGo();
  const queryClient = useQueryClient();
  const newest = useQuery(trpc.notices.list.queryOptions(recent, { refetchInterval }));
  // The newest notice that was there at the last look; ids are in the order of time.
  const seen = useRef<string | null>(null);

  const data = newest.data?.data;
  useEffect(() => {
    if (!data) return;
    const before = seen.current;
    seen.current = data[0]?.id ?? before ?? "";
    if (before === null) return;
    const arrived = data.filter((each) => each.id > before && each.readAt === null);
    for (const notice of arrived) {
      const line = noticeLine(notice, environments);
      const { path, query } = line;
      toast.info(line.title, {
        description: line.detail,
        ...(path ? { action: { label: "Open", onClick: () => go(href(path, query)) } } : {}),
      });
    }
    if (arrived.length > 0) {
      // The count and the open list, and what it is about, have changed as well.
      for (const part of [trpc.notices.unread, trpc.notices.list, trpc.promotions, trpc.pipelines]) {
        void queryClient.invalidateQueries({ queryKey: part.pathKey() });
      }
    }
  }, [data, environments, go, href, queryClient, trpc]);
  return null;
}

/** Marks the notices about what is on screen as read: whoever looks at it knows. */
export function useReadNotices(targetId: string): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const newest = useQuery(trpc.notices.list.queryOptions(recent));
  const { mutate } = useMutation(
    trpc.notices.markRead.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.notices.pathKey() }),
    }),
  );
  const ids = (newest.data?.data ?? [])
    .filter((notice) => notice.targetId === targetId && notice.readAt === null)
    .map((notice) => notice.id)
    .join(" ");
  useEffect(() => {
    if (ids !== "") mutate({ ids: ids.split(" ") });
  }, [ids, mutate]);
}
