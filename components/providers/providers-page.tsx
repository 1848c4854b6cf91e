"use client";

import { useQuery } from "@tanstack/react-query";
import { Plug, Plus } from "lucide-react";
import { parseAsArrayOf, parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import type { Provider } from "../../server/connections/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { FilterMenu } from "../data-table/filter-menu.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelMark, channelLabel, channels } from "../messages/channel.tsx";
import { usePortal, type PortalUnit } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { formatNumber, formatPercent, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { AdapterName } from "./adapter-name.tsx";
import { ProviderStatus, providerStatuses, statusLabel } from "./provider-status.tsx";

const success = (provider: Provider) => {
  const { attempts, sent } = provider.last24Hours;
  return attempts === 0 ? "–" : formatPercent(sent / attempts);
};

const columnsOf = (units: readonly PortalUnit[]): DataColumn<Provider>[] => [
  {
    id: "name",
    label: "Connection",
    fixed: true,
    skeleton: "w-32",
    className: "max-w-56 2xl:max-w-80",
    cell: (row) => (
      <span className="truncate font-medium" title={row.name}>
        {row.name}
      </span>
    ),
  },
  {
    id: "provider",
    label: "Provider",
    skeleton: "w-20",
    cell: (row) => <AdapterName adapter={row.provider} />,
  },
  {
    id: "status",
    label: "Status",
    fixed: true,
    skeleton: "w-20",
    cell: (row) => <ProviderStatus of={row} />,
  },
  {
    id: "channels",
    label: "Channels",
    skeleton: "w-24",
    cell: (row) => (
      <span className="flex gap-3">
        {row.channels.map((channel) => (
          <ChannelMark key={channel} channel={channel} />
        ))}
      </span>
    ),
  },
  {
    id: "unit",
    label: "Belongs to",
    skeleton: "w-20",
    cell: (row) => (
      <span className="text-ink-muted">
        {row.unit === null ? "All teams" : (units.find(({ slug }) => slug === row.unit)?.name ?? row.unit)}
      </span>
    ),
  },
  {
    id: "region",
    label: "Region",
    skeleton: "w-8",
    cell: (row) =>
      row.regionAllowed ? (
        <span className="text-ink-muted">{row.processingRegion}</span>
      ) : (
        <Badge
          tone="warning"
          title="Your organisation doesn't allow this region, so nothing is sent through it"
        >
          {row.processingRegion}, not allowed
        </Badge>
      ),
  },
  {
    id: "rate",
    label: "Limit",
    align: "right",
    skeleton: "w-10",
    cell: (row) =>
      row.ratePerSecond === null ? (
        <span className="text-ink-faint">–</span>
      ) : (
        `${formatNumber(row.ratePerSecond)}/s`
      ),
  },
  {
    id: "attempts",
    label: "Attempts, 24 h",
    align: "right",
    skeleton: "w-12",
    cell: (row) => formatNumber(row.last24Hours.attempts),
  },
  { id: "success", label: "Accepted", align: "right", skeleton: "w-12", cell: success },
];

const everybody = "*";
const filters = {
  channel: parseAsArrayOf(parseAsString).withDefault([]),
  belongs: parseAsArrayOf(parseAsString).withDefault([]),
  status: parseAsArrayOf(parseAsString).withDefault([]),
};
const none = { channel: null, belongs: null, status: null };

export function ProvidersPage() {
  const trpc = useTRPC();
  const { environment, units, href, canIn } = usePortal();
  const [filter, setFilter] = useQueryStates(filters, { history: "push" });
  const query = useQuery(
    trpc.providers.list.queryOptions({ environmentId: environment.id }, { refetchInterval: 15_000 }),
  );
  const manages = canIn("providers:manage", null) || units.some((unit) => canIn("providers:manage", unit.id));
  const columns = useMemo(() => columnsOf(units), [units]);
  const all = query.data?.data;
  const rows = all?.filter(
    (row) =>
      (filter.channel.length === 0 || row.channels.some((channel) => filter.channel.includes(channel))) &&
      (filter.belongs.length === 0 || filter.belongs.includes(row.unit ?? everybody)) &&
      (filter.status.length === 0 || filter.status.includes(row.status)),
  );
  const add = manages ? (
    <Button asChild variant="primary">
      <Link href={href("/providers/new")}>
        <Plus aria-hidden /> Add connection
      </Link>
    </Button>
  ) : null;

  return (
    <PageFrame wide>
      <PageHeader
        title="Providers"
        description={`Your accounts at providers, used in every environment. Figures are for ${environment.name} in the last 24 hours.`}
        environmentScoped={false}
        actions={add}
      />
      {query.isError && !query.data ? (
        <QueryFailed what="providers" query={query} />
      ) : (
        <>
          {all?.length === 0 ? null : (
            <div className="mb-3 flex flex-wrap gap-2">
              <FilterMenu
                label="Channel"
                options={channels.map((value) => ({ value, label: channelLabel(value) }))}
                selected={filter.channel}
                onChange={(channel) => void setFilter({ channel })}
              />
              {units.length > 0 ? (
                <FilterMenu
                  label="Belongs to"
                  options={[
                    { value: everybody, label: "All teams" },
                    ...units.map((unit) => ({ value: unit.slug, label: unit.name })),
                  ]}
                  selected={filter.belongs}
                  onChange={(belongs) => void setFilter({ belongs })}
                />
              ) : null}
              <FilterMenu
                label="Status"
                options={providerStatuses.map((value) => ({ value, label: statusLabel(value) }))}
                selected={filter.status}
                onChange={(status) => void setFilter({ status })}
              />
            </div>
          )}
          <DataTable
            id="providers"
            label="Provider connections"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowLabel={(row) => `Open connection ${row.name}`}
            hrefOf={(row) => href(`/providers/${row.id}`)}
            skeletonRows={4}
            empty={
              all?.length === 0 ? (
                <NothingYet icon={Plug} title="No connections" action={add}>
                  A connection is an account at a provider. Without one, you can only send in the sandbox.
                </NothingYet>
              ) : (
                <NoMatch
                  what="connections"
                  hint="Remove a filter to see more."
                  onClear={() => void setFilter(none)}
                />
              )
            }
            compact={(row) => (
              <span className="flex items-center justify-between gap-3">
                <span className="min-w-0">
                  <span className="block truncate font-medium">{row.name}</span>
                  <span className="text-sm text-ink-muted">
                    {row.last24Hours.attempts === 0
                      ? "No attempts"
                      : `${plural(row.last24Hours.attempts, "attempt")}, ${success(row)} accepted`}
                  </span>
                </span>
                <ProviderStatus of={row} />
              </span>
            )}
          />
        </>
      )}
    </PageFrame>
  );
}
