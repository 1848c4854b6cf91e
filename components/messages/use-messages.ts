"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import type { NotificationSummary } from "../../server/sending/schemas.ts";
import { mostCounted } from "../../server/sending/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import type { MessageFilters, MessageValues } from "./use-message-filters.ts";

/** True while the reader is far from the top: rows must not move under their eyes. */
function useScrolledAway(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener("scroll", listener, { passive: true });
      return () => window.removeEventListener("scroll", listener);
    },
    () => window.scrollY > 400,
    () => false,
  );
}

const none: ReadonlySet<string> = new Set();

/** The filters as the server takes them. */
export function messageFilterOf(
  values: MessageValues,
  { createdFrom, createdTo }: { createdFrom: string | undefined; createdTo: string | undefined },
) {
  return {
    search: values.q === "" ? undefined : values.q,
    statuses: values.status.length > 0 ? values.status : undefined,
    channel: values.channel ?? undefined,
    application: values.application ?? undefined,
    template: values.template ?? undefined,
    connectionId: values.provider ?? undefined,
    notificationType: values.type ?? undefined,
    failureCode: values.code ?? undefined,
    notificationSubtype: values.subtype ?? undefined,
    templateId: values.templateId ?? undefined,
    country: values.country ?? undefined,
    mailDomain: values.mailDomain ?? undefined,
    providerCode: values.providerCode ?? undefined,
    sent: values.sent ?? undefined,
    final: values.final ?? undefined,
    simulated: values.simulated ?? undefined,
    without: values.without ?? undefined,
    createdFrom,
    createdTo,
  };
}

/** What the server is asked for, whether for a page of the list, for their number or for a file. */
export function useMessageQuery({ values, createdFrom, createdTo }: MessageFilters) {
  const { environment, unit } = usePortal();
  return {
    environmentId: environment.id,
    unitId: unit?.id,
    ...messageFilterOf(values, { createdFrom, createdTo }),
  };
}

/** A figure of a report is counted to the end, a list only as far as its reader cares. */
const countedOf = { report: mostCounted, list: 10_000 };

/**
 * How many messages the list has, once its rows are there: they do not wait for it. Undefined while it is not known, or cannot be known
 * soon.
 */
export function useMessageCount(
  filters: MessageFilters,
  { rows, nextCursor }: { rows: readonly unknown[] | undefined; nextCursor: string | null | undefined },
): { count: number; more: boolean } | undefined {
  const trpc = useTRPC();
  const hydrated = useHydrated();
  const asked = useMessageQuery(filters);
  const { cursor, from, to } = filters.values;
  const upTo = from !== null && to !== null ? countedOf.report : countedOf.list;
  const whole = rows !== undefined && !cursor && nextCursor === null;
  const counted = useQuery(
    trpc.notifications.count.queryOptions(
      { ...asked, upTo },
      {
        enabled: hydrated && rows !== undefined && !whole,
        staleTime: 30_000,
        placeholderData: keepPreviousData,
      },
    ),
  ).data;
  if (whole) return { count: rows.length, more: false };
  return counted && counted.count !== null ? { count: counted.count, more: counted.more } : undefined;
}

/**
 * The page of messages that the filters ask for. The newest page, if it is the first, follows what arrives, unless the reader has
 * scrolled away, gone to older pages, switched it off, or the tab is hidden.
 */
export function useMessages(filters: MessageFilters, live: boolean) {
  const asked = useMessageQuery(filters);
  const trpc = useTRPC();
  const scrolledAway = useScrolledAway();
  const { values } = filters;
  const following = live && !values.cursor && !values.to && values.sort === "newest" && !scrolledAway;

  const query = useQuery(
    trpc.notifications.list.queryOptions(
      { ...asked, order: values.sort, cursor: values.cursor ?? undefined },
      {
        refetchInterval: following ? 2500 : false,
        refetchIntervalInBackground: false,
        placeholderData: keepPreviousData,
      },
    ),
  );

  const rows = query.data?.data;
  const freshIds = useFreshIds(rows, query.isPlaceholderData);
  return { query, rows, freshIds, following };
}

/** Ids that were not there the last time the same list was looked at. */
function useFreshIds(
  rows: readonly NotificationSummary[] | undefined,
  otherList: boolean,
): ReadonlySet<string> {
  const [seen, setSeen] = useState<{
    rows: typeof rows;
    known: ReadonlySet<string>;
    fresh: ReadonlySet<string>;
  }>({
    rows: undefined,
    known: none,
    fresh: none,
  });
  if (rows && !otherList && rows !== seen.rows) {
    const ids = rows.map((row) => row.notificationId);
    const sameList = ids.some((id) => seen.known.has(id));
    setSeen({
      rows,
      known: new Set(ids),
      fresh: sameList ? new Set(ids.filter((id) => !seen.known.has(id))) : none,
    });
  }
  return seen.fresh;
}
