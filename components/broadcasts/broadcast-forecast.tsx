"use client";

import { useQuery } from "@tanstack/react-query";
import type { Broadcast } from "../../server/sending/schemas.ts";
import { ChannelMark } from "../messages/channel.tsx";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatMoney, formatNumber, plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";

/** Of a draft: who would get it, who would be refused, what it would cost and how it looks. */
export function BroadcastForecast({ broadcast }: { broadcast: Broadcast }) {
  const trpc = useTRPC();
  const isReady = broadcast.state === "ready";
  const preview = useQuery(
    trpc.broadcasts.preview.queryOptions(
      { id: broadcast.id },
      { enabled: isReady, staleTime: 60_000, retry: false },
    ),
  );
  return (
    <>
      <Card>
        <CardHeader
          title="Recipients"
          description={
            isReady
              ? "Consent and suppressions are checked again before each message."
              : "Preparing the list. 100,000 recipients take a few seconds."
          }
        />
        {broadcast.forecast.length === 0 ? (
          <p className="px-4 pb-4 text-sm text-ink-muted">
            {isReady ? "These groups are empty." : "Listing…"}
          </p>
        ) : (
          <div className="overflow-x-auto px-4 pb-4">
            <table className="w-full text-sm">
              <thead>
                <tr className="text-left text-xs text-ink-muted">
                  <th className="py-1.5 font-medium">Channel</th>
                  <th className="py-1.5 pl-4 text-right font-medium">Will receive it</th>
                  <th className="py-1.5 pl-4 text-right font-medium">No consent</th>
                  <th className="py-1.5 pl-4 text-right font-medium">Suppressed</th>
                  <th className="py-1.5 pl-4 text-right font-medium">No address</th>
                </tr>
              </thead>
              <tbody>
                {broadcast.forecast.map((row) => (
                  <tr key={row.channel} className="border-t border-line">
                    <td className="py-2">
                      <ChannelMark channel={row.channel} />
                    </td>
                    <td className="py-2 pl-4 text-right font-medium tabular">
                      {formatNumber(row.recipients - row.consentDenied - row.suppressed)}
                    </td>
                    <td className="py-2 pl-4 text-right tabular">{formatNumber(row.consentDenied)}</td>
                    <td className="py-2 pl-4 text-right tabular">{formatNumber(row.suppressed)}</td>
                    <td className="py-2 pl-4 text-right tabular">{formatNumber(row.noAddress)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      {preview.isError && !preview.data ? <QueryFailed what="the preview" query={preview} /> : null}
      {isReady && preview.isPending ? (
        <Card className="grid gap-3 p-4">
          <Skeleton className="w-32" />
          <Skeleton className="h-40 w-full" />
        </Card>
      ) : null}
      {preview.data?.channels.map((channel) => (
        <Card key={channel.channel}>
          <CardHeader
            title={<ChannelMark channel={channel.channel} />}
            description={sentence([
              channel.template ? `Template ${channel.template.name}` : null,
              channel.segments === null
                ? null
                : `about ${formatNumber(channel.segments, 1)} ${channel.segments === 1 ? "segment" : "segments"} each`,
              channel.estimatedCost
                ? `about ${formatMoney(channel.estimatedCost.amount, channel.estimatedCost.currency)} in all`
                : "cost unknown: the connection has no price list",
            ])}
          />
          <div className="grid gap-3 px-4 pb-4">
            {channel.problems.map((problem) => (
              <p
                key={problem.code}
                className="rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text"
              >
                {problem.count} of {plural(channel.sampled, "recipient")} looked at would not get it:{" "}
                {problem.detail}
              </p>
            ))}
            {channel.messagingLimit ? (
              <LimitLine limit={channel.messagingLimit} wanted={wantedOn(broadcast, channel.channel)} />
            ) : null}
            {channel.preview ? (
              <RenderedMessage message={{ ...channel.preview, channel: channel.channel }} />
            ) : (
              <p className="text-sm text-ink-muted">
                {preview.data.revealed
                  ? "No preview available."
                  : "You don't have access to message content."}
              </p>
            )}
          </div>
        </Card>
      ))}
    </>
  );
}

const wantedOn = (broadcast: Broadcast, channel: string): number =>
  broadcast.forecast
    .filter((row) => row.channel === channel)
    .reduce((sum, row) => sum + row.recipients - row.consentDenied - row.suppressed, 0);

type Limit = { problem: string } | { connection: string; limit: number | null; used: number };

/** How much of WhatsApp's limit for 24 hours is left, and whether the broadcast fits into it. */
function LimitLine({ limit, wanted }: { limit: Limit; wanted: number }) {
  if ("problem" in limit) {
    return <p className="text-sm text-ink-muted">WhatsApp’s messaging limit is not known: {limit.problem}</p>;
  }
  if (limit.limit === null) {
    return <p className="text-sm text-ink-muted">WhatsApp has no messaging limit for {limit.connection}.</p>;
  }
  const left = Math.max(0, limit.limit - limit.used);
  const text =
    `WhatsApp lets the business behind ${limit.connection} write to ${plural(limit.limit, "person", "people")} in 24 hours. ` +
    `${formatNumber(limit.used)} got a message over this connection in the last 24, so about ${formatNumber(left)} are left; ` +
    "messages from its other numbers count as well.";
  return wanted > left ? (
    <p className="rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text">
      {text} This broadcast is for {plural(wanted, "person", "people")}: WhatsApp will refuse messages beyond
      its limit. Send to parts of the group on different days, or limit the rate.
    </p>
  ) : (
    <p className="text-sm text-ink-muted">{text}</p>
  );
}

function sentence(parts: readonly (string | null)[]): string {
  const text = parts.filter((part) => part !== null).join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
