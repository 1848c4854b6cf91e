"use client";

import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { Provider } from "../../server/providers/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Facts } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { formatNumber, formatPercent } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { AdapterName } from "./adapter-name.tsx";
import { ProviderErrors } from "./provider-errors.tsx";
import { ProviderStatus } from "./provider-status.tsx";

const success = (provider: Provider) => {
  const { attempts, sent } = provider.last24Hours;
  return attempts === 0 ? "–" : formatPercent(sent / attempts);
};

const columns: DataColumn<Provider>[] = [
  {
    id: "name",
    label: "Connection",
    fixed: true,
    skeleton: "w-32",
    cell: (row) => <span className="font-medium">{row.name}</span>,
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
    cell: (row) => <ProviderStatus status={row.status} />,
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
    id: "region",
    label: "Region",
    skeleton: "w-8",
    cell: (row) => <span className="text-ink-muted">{row.processingRegion}</span>,
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

export function ProvidersPage() {
  const trpc = useTRPC();
  const { environment } = usePortal();
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  const query = useQuery(
    trpc.providers.list.queryOptions({ environmentId: environment.id }, { refetchInterval: 15_000 }),
  );
  const selected = query.data?.data.find((provider) => provider.id === open);

  return (
    <PageFrame>
      <PageHeader
        title="Providers"
        description="The accounts that carry messages, and how they have been doing in the last 24 hours."
        environmentScoped={false}
      />
      {query.isError && !query.data ? (
        <QueryFailed what="providers" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          id="providers"
          label="Provider connections"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => `Open connection ${row.name}`}
          onOpen={(row) => void setOpen(row.id)}
          openId={open}
          skeletonRows={4}
          empty={
            <NothingYet icon={Plug} title="No connections">
              A connection is an account at a provider. Without one, only the sandbox can send.
            </NothingYet>
          }
          compact={(row) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="text-sm text-ink-muted">
                  {formatNumber(row.last24Hours.attempts)} attempts, {success(row)} accepted
                </span>
              </span>
              <ProviderStatus status={row.status} />
            </span>
          )}
        />
      )}
      {selected ? <ProviderPanel provider={selected} onClose={() => void setOpen(null)} /> : null}
    </PageFrame>
  );
}

function ProviderPanel({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  useShortcut("Escape", onClose, { label: "Close panel" });
  const { href } = usePortal();
  const { last24Hours: day } = provider;
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={provider.name}
      subtitle={<ProviderStatus status={provider.status} />}
    >
      <Section title="Last 24 hours">
        <Facts
          items={[
            { label: "Attempts", value: formatNumber(day.attempts) },
            { label: "Accepted", value: `${formatNumber(day.sent)} (${success(provider)})` },
            { label: "Not sent", value: formatNumber(day.notSent) },
            { label: "Unknown", value: formatNumber(day.unknown) },
          ]}
        />
      </Section>
      <Section title="What went wrong">
        <ProviderErrors
          errors={day.errors}
          href={(code) => href("/messages", { provider: provider.id, code })}
        />
      </Section>
      <Section title="Connection">
        <Facts
          items={[
            { label: "Provider", value: <AdapterName adapter={provider.provider} /> },
            {
              label: "Channels",
              value: (
                <span className="flex flex-wrap gap-3">
                  {provider.channels.map((channel) => (
                    <ChannelMark key={channel} channel={channel} />
                  ))}
                </span>
              ),
            },
            { label: "Processed in", value: provider.processingRegion },
            {
              label: "Receipts",
              value: provider.receipts ? "Reports deliveries" : "Ends at sent; reports nothing more",
            },
            {
              label: "Senders",
              value:
                provider.senders.length === 0 ? (
                  <span className="text-ink-muted">The provider’s default</span>
                ) : (
                  <ul>
                    {provider.senders.map((sender) => (
                      <li key={`${sender.channel}${sender.region ?? ""}${sender.sender}`}>
                        {sender.sender}{" "}
                        <span className="text-ink-muted">
                          {sender.region ? `in ${sender.region}` : "everywhere"}
                        </span>
                      </li>
                    ))}
                  </ul>
                ),
            },
          ]}
        />
      </Section>
    </Sheet>
  );
}
