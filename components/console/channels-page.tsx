"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { RadioTower } from "lucide-react";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { channelNames } from "./channel-names.ts";
import { useConsole } from "./client.tsx";
import { ConsoleHeader } from "./console-header.tsx";

type Channel = inferRouterOutputs<ConsoleRouter>["channels"]["list"]["data"][number];

const givenTo = ({ connections }: Channel) =>
  connections === 0 ? "Nobody" : connections >= 10_000 ? "10,000 or more" : connections.toLocaleString("en");

function ChannelState({ channel }: { channel: Channel }) {
  return channel.enabled ? <Badge tone="success">On</Badge> : <Badge tone="outline">Off</Badge>;
}

const columns: DataColumn<Channel>[] = [
  {
    id: "name",
    label: "Name",
    fixed: true,
    skeleton: "w-40",
    className: "max-w-72",
    cell: (row) => <span className="truncate font-medium">{row.name}</span>,
  },
  { id: "provider", label: "Provider", skeleton: "w-16", cell: (row) => row.provider },
  { id: "channels", label: "Carries", skeleton: "w-24", cell: (row) => channelNames(row.channels) },
  { id: "region", label: "Region", skeleton: "w-10", cell: (row) => row.region },
  { id: "state", label: "State", skeleton: "w-10", cell: (row) => <ChannelState channel={row} /> },
  { id: "connections", label: "Assignments", align: "right", skeleton: "w-10", cell: givenTo },
];

/** The service's own accounts at providers. */
export function ChannelsPage() {
  const api = useConsole();
  const query = useQuery(api.channels.list.queryOptions());
  return (
    <PageFrame>
      <ConsoleHeader
        title="Channels"
        description="Your own accounts at providers, which organisations can send through. Add, test and switch them off on the command line."
      />
      {query.isError && !query.data ? (
        <QueryFailed what="the channels" query={query} />
      ) : (
        <DataTable
          id="console-channels"
          label="Channels"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name}
          hrefOf={(row) => `/console/channels/${row.id}`}
          skeletonRows={4}
          empty={
            <NothingYet icon={RadioTower} title="No channels yet">
              Add one with npm run channels -- add. Its credentials are never shown.
            </NothingYet>
          }
          compact={(row) => (
            <span className="block min-w-0">
              <span className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-medium">{row.name}</span>
                <ChannelState channel={row} />
              </span>
              <span className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-ink-muted">
                <span>{row.provider}</span>
                <span>{channelNames(row.channels)}</span>
                <span>{row.region}</span>
                <span>Assigned: {givenTo(row)}</span>
              </span>
            </span>
          )}
        />
      )}
    </PageFrame>
  );
}
