"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import type { ImportView } from "../../server/imports/schemas.ts";
import { LoadMore } from "../data-table/load-more.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { formatPercent, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { kindWords, stateWords } from "./import-words.ts";
import { NewImport } from "./new-import.tsx";
import { useImportKinds } from "./use-import-kinds.ts";

/** The files that were imported, and those that are on their way. */
export function ImportsPage() {
  const trpc = useTRPC();
  const kinds = useImportKinds();
  const query = useInfiniteQuery(
    trpc.imports.list.infiniteQueryOptions(
      { limit: 25 },
      {
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        refetchInterval: ({ state }) =>
          state.data?.pages.some((page) =>
            page.data.some((one) => one.state === "checking" || one.state === "running"),
          )
            ? 2_000
            : false,
      },
    ),
  );
  const imports = query.data?.pages.flatMap((page) => page.data);
  const button = kinds ? <NewImport kinds={kinds} label="Import file" primary /> : null;
  return (
    <PageFrame>
      <PageHeader
        title="Imports"
        description="Files of contacts, consent and suppressions. Files are deleted after the import."
        actions={imports && imports.length > 0 ? button : null}
        environmentScoped={false}
      />
      <Card>
        {imports ? (
          imports.length === 0 ? (
            <NothingYet icon={FileUp} title="No imports yet" action={button}>
              Upload a CSV file, assign its columns and preview the changes.
            </NothingYet>
          ) : (
            <ul className="divide-y divide-line" aria-label="Imports">
              {imports.map((one) => (
                <ImportLine key={one.id} one={one} />
              ))}
            </ul>
          )
        ) : query.isError ? (
          <QueryFailed what="the imports" query={query} />
        ) : (
          <div className="grid gap-4 px-4 py-4" aria-busy>
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/3" />
          </div>
        )}
        <LoadMore query={query} />
      </Card>
    </PageFrame>
  );
}

function ImportLine({ one }: { one: ImportView }) {
  const { href } = usePortal();
  const { label, tone } = stateWords[one.state];
  const underWay = one.state === "checking" || one.state === "running" || one.state === "uploading";
  return (
    <li>
      <Link href={href(`/imports/${one.id}`)} className="block px-4 py-3 text-sm hover:bg-hover">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{one.fileName}</span>
          <Badge tone={tone}>
            {label}
            {underWay && one.share > 0 ? ` ${formatPercent(one.share, 0)}` : null}
          </Badge>
        </span>
        <span className="mt-0.5 block text-ink-muted">
          {kindWords[one.kind].label}
          {one.rows > 0 ? <>, {plural(one.rows, "row")}</> : null}
          {one.counts.failed > 0 ? <>, {formatErrors(one.counts.failed)}</> : null}, by {one.startedBy}{" "}
          <RelativeTime value={one.createdAt} />
        </span>
      </Link>
    </li>
  );
}

const formatErrors = (count: number) => `${plural(count, "row")} with errors`;
