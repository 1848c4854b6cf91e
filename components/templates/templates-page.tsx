"use client";

import { Archive, FileStack, FileText, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { ColumnMenu, DataTable } from "../data-table/data-table.tsx";
import { byName, Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { AllDone, NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { audienceText } from "./audience.ts";
import { CompactRow } from "./library/compact-row.tsx";
import { groupPath } from "./library/group-path.ts";
import { libraryColumns } from "./library/library-columns.tsx";
import { LibraryFilterBar } from "./library/library-filters.tsx";
import { groupId, libraryRows, type LibraryRow } from "./library/types.ts";
import { useLibrary, useLibraryFilters } from "./library/use-library.ts";
import { useTemplateActions } from "./library/use-template-actions.tsx";

export function TemplatesPage() {
  const { applications, can, environments, href } = usePortal();
  const router = useRouter();
  const filters = useLibraryFilters();
  const { query, allArchived } = useLibrary(filters);
  const { act, dialogs } = useTemplateActions();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { values } = filters;
  const groups = query.data?.data;
  const rows = useMemo(
    () => groups && libraryRows(groups, (group) => open.has(groupId(group))),
    [groups, open],
  );
  const columns = libraryColumns({
    environments,
    manyApplications: applications.length > 1,
    archived: values.archived,
    onAction: act,
  });

  function hrefOf(row: LibraryRow): string | null {
    if (row.kind === "variant") return href(`/templates/${row.variant.id}`);
    // Archived templates cover nobody, so their group has no page.
    return row.kind === "group" && !values.archived ? href(groupPath(row.group)) : null;
  }
  function openArchived(row: LibraryRow) {
    const address = hrefOf(row);
    if (address === null) toggle(row);
    else router.push(address);
  }
  function toggle(row: LibraryRow) {
    if (row.kind !== "group") return;
    const next = new Set(open);
    if (!next.delete(row.id)) next.add(row.id);
    setOpen(next);
  }
  const add = can("templates:write") ? (
    <Button asChild variant="primary">
      <Link href={href("/templates/new", { application: values.application })}>
        <Plus aria-hidden /> New template
      </Link>
    </Button>
  ) : null;

  return (
    <PageFrame wide>
      <PageHeader
        title="Templates"
        description={
          values.archived
            ? "Archived templates. Restoring one makes its versions live again."
            : "All templates by notification type, with their variants and live versions."
        }
        environmentScoped={false}
        actions={
          <>
            <ColumnMenu tableId="library" columns={columns} />
            <Button asChild>
              <Link href={href("/templates/files", { application: values.application })}>
                <FileStack aria-hidden /> Import and export
              </Link>
            </Button>
            {add}
          </>
        }
      />
      <LibraryFilterBar filters={filters} />
      {query.isError && !groups ? (
        <QueryFailed what="templates" query={query} />
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <DataTable
            id="library"
            label="Templates"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowLabel={(row) =>
              row.kind === "variant"
                ? `Open ${row.group.name}, ${row.variant.channel}, ${audienceText(row.variant)}`
                : `Open ${row.group.name}`
            }
            hrefOf={hrefOf}
            {...(values.archived ? { onOpen: openArchived } : {})}
            expansion={{
              isOpen: (row) => (row.kind === "group" ? open.has(row.id) : null),
              toggle,
              label: (row) => `Variants of ${row.group.name}`,
            }}
            skeletonRows={10}
            empty={<Empty filters={filters} allArchived={allArchived} add={add} />}
            compact={(row) => <CompactRow row={row} environments={environments} />}
            footer={
              <Pager
                cursor={values.cursor}
                nextCursor={query.data?.nextCursor}
                onChange={filters.setCursor}
                {...(values.sort === "name" ? { words: byName } : {})}
              />
            }
          />
        </div>
      )}
      {dialogs}
    </PageFrame>
  );
}

function Empty({
  filters,
  allArchived,
  add,
}: {
  filters: ReturnType<typeof useLibraryFilters>;
  allArchived: boolean;
  add: React.ReactNode;
}) {
  if (filters.narrowed)
    return (
      <NoMatch
        what="templates"
        hint="Searches name, type and text for all words. Try fewer words, or remove a filter."
        onClear={filters.clear}
      />
    );
  if (filters.values.archived) {
    return <AllDone title="No archived templates">Archived templates appear here.</AllDone>;
  }
  if (allArchived) {
    return (
      <NothingYet
        icon={Archive}
        title="All templates are archived"
        action={
          <>
            <Button onClick={() => filters.change({ archived: true })}>Show archived</Button>
            {add}
          </>
        }
      >
        Restore or create a template to send messages.
      </NothingYet>
    );
  }
  return (
    <NothingYet icon={FileText} title="No templates yet" action={add}>
      A template contains the text for one notification type on one channel. Every save creates a new version.
    </NothingYet>
  );
}
