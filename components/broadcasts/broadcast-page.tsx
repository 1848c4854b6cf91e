"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, Pause, Play, RotateCcw, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Broadcast } from "../../server/sending/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { DetailSkeleton } from "../layout/page-skeletons.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { channelLabel } from "../messages/channel.tsx";
import { useEnvironmentOf, usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { Warning } from "../ui/warning.tsx";
import { named } from "../ui/isolated.ts";
import { BroadcastForecast } from "./broadcast-forecast.tsx";
import { BroadcastProgress } from "./broadcast-progress.tsx";
import { BroadcastState, isMoving } from "./broadcast-state.tsx";

const RateDialog = dynamic(() => import("./rate-dialog.tsx").then((module) => module.RateDialog));
const StartDialog = dynamic(() => import("./start-dialog.tsx").then((module) => module.StartDialog));

/** One broadcast: of a draft who would get it and what it costs, then how it goes. */
export function BroadcastPage({ id }: { id: string }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.broadcasts.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data && isMoving(state.data.state) ? 2_000 : false) },
    ),
  );
  const broadcast = query.data;
  useEnvironmentOf(broadcast?.environment, "/broadcasts");
  if (!broadcast) {
    return query.isError ? (
      <PageFrame>
        <QueryFailed what="this broadcast" query={query} />
      </PageFrame>
    ) : (
      <DetailSkeleton />
    );
  }
  const isDraft = isUnsent(broadcast);
  return (
    <PageFrame>
      <PageHeader
        title={
          <span className="inline-flex min-w-0 flex-wrap items-center gap-2.5">
            <bdi>{broadcast.name}</bdi> <BroadcastState state={broadcast.state} />
          </span>
        }
        documentTitle={named(broadcast.name)}
        back={{ href: href("/broadcasts"), label: "Broadcasts" }}
        actions={<Actions broadcast={broadcast} />}
      />
      {broadcast.problem ? (
        <Warning role="status" className="mb-4">
          {broadcast.problem.detail}
          {broadcast.endedAt ? "" : " It continues automatically."}
        </Warning>
      ) : null}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="grid min-w-0 gap-4">
          {isDraft ? (
            <BroadcastForecast broadcast={broadcast} />
          ) : (
            <BroadcastProgress broadcast={broadcast} at={query.dataUpdatedAt} />
          )}
        </div>
        <Card>
          <CardHeader title="Details" />
          <div className="px-4 pb-4">
            <Details broadcast={broadcast} />
          </div>
        </Card>
      </div>
    </PageFrame>
  );
}

type Shown = Broadcast & {
  actions: {
    start: boolean;
    pause: boolean;
    resume: boolean;
    cancel: boolean;
    sendAgain: boolean;
    exportNotReached: boolean;
  };
};

/** A draft, which a person has to start. */
const isUnsent = ({ state, actions }: Pick<Shown, "state" | "actions">) =>
  state === "ready" || (state === "listing" && !actions.pause);

function Actions({ broadcast }: { broadcast: Shown }) {
  const { href, tenant } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const refresh = useRefresh("broadcasts", "notifications");
  const [asked, setAsked] = useState<"start" | "cancel" | "rate" | null>(null);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const options = {
    onSuccess: refresh,
    onError: async (error: unknown) => {
      toast.error(errorText(error));
      await refresh();
    },
    onSettled: () => setAsked(null),
  };
  const pause = useMutation(trpc.broadcasts.pause.mutationOptions(options));
  const resume = useMutation(trpc.broadcasts.resume.mutationOptions(options));
  const cancel = useMutation(trpc.broadcasts.cancel.mutationOptions(options));
  const again = useMutation(
    trpc.broadcasts.sendAgain.mutationOptions({
      onSuccess: ({ id }) => router.push(href(`/broadcasts/${id}`)),
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const { id, actions, name } = broadcast;
  const isDraft = isUnsent(broadcast);
  const notReached =
    (broadcast.counts.failed ?? 0) +
    (broadcast.counts.rejected ?? 0) +
    (broadcast.counts.expired ?? 0) +
    (broadcast.counts.canceled ?? 0) +
    Object.entries(broadcast.leftOut)
      // They get it anyway.
      .filter(([reason]) => reason !== "duplicate_recipient")
      .reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      {actions.pause || actions.resume ? (
        <Button onClick={() => setAsked("rate")}>
          {broadcast.ratePerSecond === null
            ? "Limit rate…"
            : `${formatNumber(broadcast.ratePerSecond)} a second…`}
        </Button>
      ) : null}
      {actions.pause ? (
        <Button pending={pause.isPending} onClick={() => pause.mutate({ id })}>
          <Pause aria-hidden /> Pause
        </Button>
      ) : null}
      {actions.cancel ? (
        <Button onClick={() => setAsked("cancel")}>
          <X aria-hidden /> {isDraft ? "Discard…" : "Cancel…"}
        </Button>
      ) : null}
      {actions.resume ? (
        <Button variant="primary" pending={resume.isPending} onClick={() => resume.mutate({ id })}>
          <Play aria-hidden /> Resume
        </Button>
      ) : null}
      {actions.start ? (
        <Button variant="primary" disabled={broadcast.recipients === 0} onClick={() => setAsked("start")}>
          <Play aria-hidden /> Send…
        </Button>
      ) : null}
      {actions.exportNotReached && notReached > 0 ? (
        <Button asChild>
          <a href={`/${tenant.slug}/broadcasts/${id}/not-reached`} download>
            <Download aria-hidden /> Export unreached contacts
          </a>
        </Button>
      ) : null}
      {actions.sendAgain && notReached > 0 ? (
        <Button
          pending={again.isPending}
          onClick={() => again.mutate({ id, name: `${name.slice(0, 118)}, again`, idempotencyKey })}
        >
          <RotateCcw aria-hidden /> Send to unreached contacts
        </Button>
      ) : null}
      {asked === "start" ? <StartDialog broadcast={broadcast} onClose={() => setAsked(null)} /> : null}
      {asked === "rate" ? <RateDialog broadcast={broadcast} onClose={() => setAsked(null)} /> : null}
      <ConfirmDialog
        open={asked === "cancel"}
        onClose={() => setAsked(null)}
        title={`${isDraft ? "Discard" : "Cancel"} “${name}”?`}
        confirmLabel={isDraft ? "Discard broadcast" : "Cancel broadcast"}
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate({ id })}
      >
        {isDraft
          ? "Nothing has been sent. It stays in the list as canceled."
          : "Messages that haven't been handed to a provider are canceled. It can't be resumed, but you can send it again to contacts who were not reached."}
      </ConfirmDialog>
    </>
  );
}

function Details({ broadcast }: { broadcast: Broadcast }) {
  const { href } = usePortal();
  return (
    <Facts
      items={[
        {
          label: "Groups",
          value: broadcast.groups.map(({ group, channels }) => (
            <span key={group} className="block">
              {group}{" "}
              <span className="text-ink-muted">{channels.map((each) => channelLabel(each)).join(", ")}</span>
            </span>
          )),
        },
        { label: "Application", value: broadcast.application },
        { label: "Type", value: `${broadcast.notificationType} / ${broadcast.notificationSubtype}` },
        broadcast.transactionId === null ? null : { label: "Transaction ID", value: broadcast.transactionId },
        { label: "Created", value: <AbsoluteTime value={broadcast.createdAt} /> },
        { label: "By", value: broadcast.createdBy },
        broadcast.startsAt === null
          ? null
          : { label: "Starts", value: <AbsoluteTime value={broadcast.startsAt} /> },
        broadcast.pausedBy === null ? null : { label: "Paused by", value: broadcast.pausedBy },
        broadcast.ratePerSecond === null
          ? null
          : { label: "At most", value: `${plural(broadcast.ratePerSecond, "message")} a second` },
        broadcast.endedAt === null
          ? null
          : { label: "Ended", value: <AbsoluteTime value={broadcast.endedAt} /> },
        {
          label: "Clicks",
          value: `${plural(broadcast.clicks.people, "click")} by people, ${formatNumber(broadcast.clicks.machines)} by programs`,
        },
        {
          label: "Messages",
          value: (
            <Link
              href={href("/messages", { type: broadcast.notificationType })}
              className="text-accent-text underline-offset-4 hover:underline"
            >
              Messages of this type
            </Link>
          ),
        },
      ]}
    />
  );
}
