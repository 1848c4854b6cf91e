"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Grid3x3 } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { SearchBox } from "../data-table/search-box.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card } from "../ui/card.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { plural } from "../ui/format.ts";
import { Segmented } from "../ui/segmented.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { MatrixCards } from "./matrix-cards.tsx";
import { MatrixTable } from "./matrix-table.tsx";

const views = ["region", "type"] as const;

/** Who sends what where: a row for each application and channel, a column for each region or notification type. */
export function MatrixTab() {
  const { environment, unit } = usePortal();
  const trpc = useTRPC();
  const [by, setBy] = useQueryState("by", parseAsStringLiteral(views).withDefault("region"));
  const [search, setSearch] = useQueryState("q", parseAsString.withDefault(""));
  const query = useQuery({
    ...trpc.routing.matrix.queryOptions({
      environmentId: environment.id,
      by,
      ...(unit ? { unitId: unit.id } : {}),
      ...(search.trim() === "" ? {} : { search: search.trim() }),
    }),
    placeholderData: keepPreviousData,
  });
  const matrix = query.data;
  const left = [
    ...(matrix?.moreApplications ? [plural(matrix.moreApplications, "more application")] : []),
    ...(matrix?.moreColumns ? [plural(matrix.moreColumns, "more column")] : []),
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SearchBox
          value={search}
          onChange={(next) => void setSearch(next === "" ? null : next)}
          placeholder="Application"
          label="Search applications"
          maxLength={100}
          className="w-64 max-w-full"
        />
        <Segmented
          label="Columns"
          value={by}
          onValueChange={(next) => void setBy(next)}
          options={[
            { value: "region", label: "By region" },
            { value: "type", label: "By type" },
          ]}
        />
        <p className="text-xs text-ink-muted">
          First choice for each message under the current rules.
          {left.length > 0 ? ` Not shown: ${left.join(" and ")}; search or choose a team.` : ""}
        </p>
      </div>
      {query.isError && !matrix ? (
        <Card>
          <QueryFailed what="the matrix" query={query} />
        </Card>
      ) : !matrix ? (
        <Card className="grid gap-3 p-4" aria-busy>
          {Array.from({ length: 8 }, (_, index) => (
            <div key={index} className="flex gap-8">
              <Skeleton className="w-40" />
              <Skeleton className="hidden w-28 sm:block" />
              <Skeleton className="hidden w-28 md:block" />
              <Skeleton className="hidden w-28 lg:block" />
            </div>
          ))}
        </Card>
      ) : matrix.rows.length === 0 ? (
        <Card>
          {search.trim() === "" ? (
            <NothingYet icon={Grid3x3} title="Nothing to route yet">
              None of your applications uses {environment.name}
              {by === "type" ? ", or none of their templates is live here" : ""}.
            </NothingYet>
          ) : (
            <NoMatch what="applications" hint="Try another name." onClear={() => void setSearch(null)} />
          )}
        </Card>
      ) : (
        <>
          <div className="hidden md:block">
            <MatrixTable matrix={matrix} by={by} />
          </div>
          <div className="md:hidden">
            <MatrixCards matrix={matrix} by={by} />
          </div>
        </>
      )}
    </div>
  );
}
