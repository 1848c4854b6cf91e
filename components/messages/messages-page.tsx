"use client";

import { MessagesSquare, Send } from "lucide-react";
import { useMemo } from "react";
import { mostAtOnce } from "../../server/sending/vocabulary.ts";
import { ColumnMenu, DataTable } from "../data-table/data-table.tsx";
import { byAge, Pager } from "../data-table/pager.tsx";
import { useRemembered } from "../data-table/use-remembered.ts";
import { StartExport } from "../exports/start-export.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { SavedViewsMenu } from "../saved-views/saved-views-menu.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { CompactMessage, messageColumns } from "./message-columns.tsx";
import { MessageFilterBar } from "./message-filters.tsx";
import { moreAddresses, searchedText } from "./searched-text.ts";
import { MessagePanel } from "./message-panel.tsx";
import { useFilterChoices } from "./use-filter-choices.ts";
import { rangeLabels, useMessageFilters } from "./use-message-filters.ts";
import { useMessageCount, useMessageQuery, useMessages } from "./use-messages.ts";
import { useTicked } from "./use-ticked.ts";

/** How many messages match, e.g. "10,000+ messages". */
function countText({ count, more }: { count: number; more: boolean }): string {
  return more ? `${formatNumber(count)}+ messages` : plural(count, "message");
}

export function MessagesPage() {
  const { can, environment, href } = usePortal();
  const filters = useMessageFilters();
  const [live, setLive] = useRemembered("messages:live", true);
  const { query, rows, freshIds, following } = useMessages(filters, live);
  const asked = useMessageQuery(filters);
  const counted = useMessageCount(filters, { rows, nextCursor: query.data?.nextCursor });
  const choices = useFilterChoices();
  const masked = !can("content:reveal");
  const columns = useMemo(() => messageColumns(masked), [masked]);
  const { values } = filters;
  // The range by its name, as its lower bound moves on.
  const ticked = useTicked({ ...asked, createdFrom: values.from ?? values.range }, mostAtOnce);

  return (
    <PageFrame wide>
      <PageHeader
        title="Messages"
        description="Every message in this environment"
        actions={
          <>
            <Button
              variant="ghost"
              aria-pressed={live}
              onClick={() => setLive(!live)}
              title={live ? "New messages appear by themselves" : "The list is paused"}
            >
              <span
                aria-hidden
                className={cn(
                  "size-2 rounded-full",
                  following ? "animate-pulse bg-success" : "bg-line-strong",
                )}
              />
              {live ? (following ? "Live" : "Live, paused") : "Paused"}
            </Button>
            <ColumnMenu tableId="messages" columns={columns} />
            <SavedViewsMenu page="messages" />
            <StartExport input={{ kind: "messages", filter: asked }} />
            {can("notifications:send") ? (
              <Button asChild variant="primary">
                <Link href={href("/send")}>
                  <Send aria-hidden /> Send
                </Link>
              </Button>
            ) : null}
          </>
        }
      />
      <MessageFilterBar filters={filters} choices={choices} />
      {query.data?.searched?.more ? (
        <p role="status" className="mb-3 text-sm text-ink-muted">
          {moreAddresses}
        </p>
      ) : null}
      {query.isError && !rows ? (
        <QueryFailed what="messages" query={query} />
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="messages"
            label="Messages"
            columns={columns}
            rows={rows}
            rowId={(row) => row.notificationId}
            rowLabel={(row) => `Open message to ${row.to}, ${row.status}`}
            hrefOf={(row) => href(`/messages/${row.notificationId}`)}
            onOpen={(row) => filters.setOpen(row.notificationId)}
            openId={values.open}
            freshIds={freshIds}
            sorting={{
              column: "createdAt",
              direction: values.sort === "oldest" ? "ascending" : "descending",
              reverseLabel: values.sort === "oldest" ? "Newest first" : "Oldest first",
              reverse: () => filters.setSort(values.sort === "oldest" ? "newest" : "oldest"),
            }}
            selection={{
              selected: ticked.ids,
              onSelect: ticked.select,
              label: (row) => `Select message to ${row.to}, ${row.status}`,
            }}
            skeletonRows={16}
            empty={
              filters.narrowed ? (
                <NoMatch
                  what="messages"
                  title={values.q === "" ? undefined : `No results for ${values.q}`}
                  hint={query.data?.searched ? searchedText(query.data.searched) : undefined}
                  onClear={filters.clear}
                  action={
                    values.range === "all" || values.from ? null : (
                      <Button size="sm" onClick={() => filters.change({ range: "all" })}>
                        Search all time
                      </Button>
                    )
                  }
                />
              ) : (
                <NothingYet
                  icon={MessagesSquare}
                  title={
                    values.range === "all"
                      ? "No messages yet"
                      : `Nothing in the ${rangeLabels[values.range].toLowerCase()}`
                  }
                  action={
                    <>
                      {can("notifications:send") ? (
                        <Button asChild variant="primary">
                          <Link href={href("/send")}>Send a message</Link>
                        </Button>
                      ) : null}
                      {values.range === "all" ? null : (
                        <Button onClick={() => filters.change({ range: "all" })}>Show all time</Button>
                      )}
                    </>
                  }
                >
                  Messages sent to {environment.name}, from the portal or the API, appear here within a
                  second.
                </NothingYet>
              )
            }
            compact={(row) => <CompactMessage message={row} masked={masked} />}
            footer={
              <Pager
                cursor={values.cursor}
                nextCursor={query.data?.nextCursor}
                onChange={(cursor) => {
                  filters.setCursor(cursor);
                  window.scrollTo({ top: 0 });
                }}
                summary={counted && rows?.length !== 0 ? countText(counted) : undefined}
                {...(values.sort === "oldest" ? { words: byAge } : {})}
              />
            }
          />
        </div>
      )}
      <BulkBar messages={ticked.rows} most={mostAtOnce} onClear={ticked.clear} />
      {values.open ? <MessagePanel id={values.open} onClose={() => filters.setOpen(null)} /> : null}
    </PageFrame>
  );
}
