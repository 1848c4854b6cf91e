"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Bell, BellOff, CheckCheck } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Notice } from "../../server/notices/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { NothingYet } from "../ui/empty-state.tsx";
import { isolated } from "../ui/isolated.ts";
import { Link } from "../ui/link.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { noticeLine } from "./notice-text.ts";
import { useUnread } from "./notices.tsx";

/** The bell with what is unread, and the list of notices behind it. */
export function NoticeBell({ className }: { className?: string }) {
  const [open, setOpen] = useState(false);
  const unread = useUnread();
  const count = unread >= 100 ? "99+" : String(unread);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          aria-label={unread > 0 ? `Notices, ${count} unread` : "Notices"}
          title="Notices"
          className={cn("relative", className)}
        >
          <Bell aria-hidden />
          {unread > 0 ? (
            <span
              aria-hidden
              className="absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-2xs leading-none font-semibold text-accent-ink tabular"
            >
              {count}
            </span>
          ) : null}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        aria-label="Notices"
        align="start"
        className="flex max-h-[min(32rem,80vh)] w-[min(24rem,calc(100vw-1rem))] flex-col p-0"
      >
        <NoticeList unread={unread} close={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

function NoticeList({ unread, close }: { unread: number; close: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("notices");
  const query = useInfiniteQuery(
    trpc.notices.list.infiniteQueryOptions({ limit: 20 }, { getNextPageParam: (page) => page.nextCursor }),
  );
  const notices = query.data?.pages.flatMap((page) => page.data);
  const markRead = useMutation(
    trpc.notices.markRead.mutationOptions({
      onSuccess: refresh,
      onError: (error) => toast.error(errorText(error)),
    }),
  );

  return (
    <>
      <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-2">
        <h2 className="text-sm font-semibold">Notices</h2>
        <Button
          variant="ghost"
          size="sm"
          disabled={unread === 0 || markRead.isPending}
          onClick={() => markRead.mutate({})}
        >
          <CheckCheck aria-hidden /> Mark all as read
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {query.isError && !notices ? (
          <QueryFailed what="notices" query={query} className="py-8" />
        ) : notices === undefined ? (
          <div className="grid gap-3 p-4" aria-busy>
            <Skeleton className="w-4/5" />
            <Skeleton className="w-2/5" />
            <Skeleton className="w-3/5" />
          </div>
        ) : notices.length === 0 ? (
          <NothingYet icon={BellOff} title="No notices" className="py-8">
            Promotions awaiting your approval and decisions on yours appear here.
          </NothingYet>
        ) : (
          <ul className="divide-y divide-line">
            {notices.map((notice) => (
              <NoticeItem
                key={notice.id}
                notice={notice}
                close={close}
                onRead={() => markRead.mutate({ ids: [notice.id] })}
              />
            ))}
          </ul>
        )}
        <LoadMore query={query}>Show older</LoadMore>
      </div>
    </>
  );
}

function NoticeItem({ notice, close, onRead }: { notice: Notice; close: () => void; onRead: () => void }) {
  const { environments, href } = usePortal();
  const line = noticeLine(notice, environments);
  const unread = notice.readAt === null;
  const content = (
    <>
      <span className={cn("block text-sm", unread ? "font-medium" : "text-ink-muted")}>
        {isolated(line.title)}
      </span>
      <span className="mt-0.5 block text-xs text-ink-muted">
        {isolated(line.detail)}, <RelativeTime value={notice.createdAt} />
      </span>
    </>
  );
  return (
    <li className="flex items-start gap-1 pr-2 hover:bg-hover">
      <span
        aria-hidden
        className={cn("mt-4.5 ml-3 size-1.5 shrink-0 rounded-full", unread ? "bg-accent" : "bg-transparent")}
      />
      {line.path ? (
        <Link
          href={href(line.path, line.query)}
          className="min-w-0 flex-1 rounded-sm px-2 py-2.5"
          onClick={() => {
            if (unread) onRead();
            close();
          }}
        >
          {unread ? <span className="sr-only">Unread: </span> : null}
          {content}
        </Link>
      ) : (
        <div className="min-w-0 flex-1 px-2 py-2.5">{content}</div>
      )}
      {unread ? (
        <Button
          variant="ghost"
          size="iconSm"
          className="mt-2"
          aria-label={`Mark as read: ${line.title}`}
          title="Mark as read"
          onClick={onRead}
        >
          <CheckCheck aria-hidden />
        </Button>
      ) : null}
    </li>
  );
}
