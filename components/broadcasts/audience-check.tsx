"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { TriangleAlert } from "lucide-react";
import type { AppRouter } from "../../server/trpc/root.ts";
import { ChannelMark } from "../messages/channel.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { formatNumber, plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSettled } from "../ui/use-settled.ts";

type Input = inferRouterInputs<AppRouter>["broadcasts"]["audience"];
type ChannelAudience = inferRouterOutputs<AppRouter>["broadcasts"]["audience"]["channels"][number];

/** Pause after the last choice, so that ticking five groups asks once; milliseconds. */
const pause = 400;

/** Who would get the broadcast that is being composed, and who would be skipped and why; follows every choice. */
export function AudienceCheck({ input }: { input: Input }) {
  const trpc = useTRPC();
  const wanted = JSON.stringify(input);
  const settled = useSettled(wanted, pause);
  const query = useQuery(
    trpc.broadcasts.audience.queryOptions(JSON.parse(settled) as Input, {
      placeholderData: keepPreviousData,
      staleTime: 30_000,
      retry: false,
      refetchOnWindowFocus: false,
    }),
  );
  const updating = query.isFetching || wanted !== settled;
  if (query.isError && !query.data) {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-danger-soft px-3 py-2 text-sm text-danger-text"
      >
        <p className="min-w-0 flex-1">The audience couldn&rsquo;t be checked. {errorText(query.error)}</p>
        <Button size="sm" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!query.data) return <Skeleton className="h-16 w-full" />;
  const { channels, complete, contacts } = query.data;
  return (
    <section
      aria-label="Audience"
      aria-busy={updating}
      className="rounded-md border border-line bg-canvas px-3 py-2.5"
    >
      <ul className="grid gap-2.5">
        {channels.map((channel) => (
          <li key={channel.channel} className="grid gap-0.5 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
            <ChannelMark channel={channel.channel} />
            <ChannelLine channel={channel} complete={complete} />
          </li>
        ))}
      </ul>
      {complete ? null : (
        <p className="mt-2 text-xs text-ink-muted">
          Counted from the first {formatNumber(contacts)} contacts. All of them are counted before anything is
          sent.
        </p>
      )}
    </section>
  );
}

function ChannelLine({ channel, complete }: { channel: ChannelAudience; complete: boolean }) {
  const skipped = [
    [channel.consentDenied, "no consent"],
    [channel.suppressed, "suppressed"],
    [channel.noAddress, "no address"],
    [channel.noTemplate, "no template in their language or region"],
  ] as const;
  const reached = Math.max(
    0,
    channel.recipients - channel.consentDenied - channel.suppressed - channel.noTemplate,
  );
  const total = skipped.reduce((sum, [count]) => sum + count, 0);
  const bound = complete ? "" : "at least ";
  return (
    <div className="min-w-0">
      <p className={cn("font-medium tabular", reached === 0 && "text-warning-text")}>
        {reached === 0 && complete ? (
          <>
            <TriangleAlert className="mr-1 inline size-4 align-text-bottom" aria-hidden />
            Nobody will get it
          </>
        ) : (
          upperFirst(`${bound}${plural(reached, "recipient")}`)
        )}
      </p>
      {total > 0 ? (
        <p className="text-xs text-ink-muted">
          Skipped: {bound}
          {formatNumber(total)} (
          {skipped
            .filter(([count]) => count > 0)
            .map(([count, reason]) => `${formatNumber(count)} ${reason}`)
            .join(", ")}
          )
        </p>
      ) : null}
    </div>
  );
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
