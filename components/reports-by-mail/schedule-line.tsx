"use client";

import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Schedule } from "../../server/reports/schemas.ts";
import { viewPaths } from "../../server/reports/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Link } from "../ui/link.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { pageWords, rhythmWords, sendWords } from "./schedule-words.ts";

const ScheduleDialog = dynamic(() => import("./schedule-dialog.tsx").then((module) => module.ScheduleDialog));

/** One report: what it mails when to whom, and how the last time went. */
export function ScheduleLine({ one }: { one: Schedule }) {
  const { can, tenant } = usePortal();
  const { page, name, query } = one.view;
  const address = `/${tenant.slug}${viewPaths[page]}${query === "" ? "" : `?${query}`}`;
  return (
    <li className="grid gap-2 px-4 py-3 text-sm">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link href={address} className="min-w-0 truncate font-medium hover:underline">
              {name}
            </Link>
            <span className="text-ink-muted">{pageWords[page]}</span>
            {one.paused ? <Badge tone="neutral">Paused</Badge> : null}
            {one.available ? null : <Badge tone="warning">View not shared</Badge>}
          </div>
          <p className="mt-0.5 text-ink-muted">
            {rhythmWords(one)}
            {one.nextAt && one.available ? (
              <>
                , next <RelativeTime value={one.nextAt} ahead />
              </>
            ) : null}
          </p>
          <p className="mt-0.5 break-words text-ink-muted">
            To {one.recipients.length > 0 ? one.recipients.map((each) => each.name).join(", ") : "nobody"},
            scheduled by {one.by}
          </p>
          {one.available ? null : (
            <p className="mt-0.5">
              Not sent while the view isn’t shared with {one.by}. Schedule a view of your own instead, or ask
              for it to be shared again.
            </p>
          )}
        </div>
        <Actions one={one} />
      </div>
      {one.last ? (
        <div className="rounded-md bg-sunken px-3 py-2">
          <p className="text-xs text-ink-muted">
            Last due <RelativeTime value={one.last.dueAt} />
          </p>
          <ul className="mt-1 grid gap-1">
            {one.last.sends.map((send, index) => (
              <li key={index} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                <Badge tone={sendWords[send.state].tone}>
                  {send.state === "waiting" && send.attempts > 0
                    ? "Will be retried"
                    : sendWords[send.state].label}
                </Badge>
                <span>{send.name}</span>
                {send.problem ? <span className="text-ink-muted">{send.problem}</span> : null}
                {send.notificationId && can("notifications:read") ? (
                  <Link
                    href={`/${tenant.slug}/messages/${send.notificationId}`}
                    className="text-accent-text underline-offset-4 hover:underline"
                  >
                    View message
                  </Link>
                ) : null}
                {send.state === "waiting" && send.nextAt && send.attempts > 0 ? (
                  <span className="text-ink-muted">
                    Tried {send.attempts} of 6 times, again <RelativeTime value={send.nextAt} ahead />
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </li>
  );
}

function Actions({ one }: { one: Schedule }) {
  const trpc = useTRPC();
  const refresh = useRefresh("reports");
  const [asking, setAsking] = useState<"change" | "delete" | null>(null);
  const said = (text: string) => ({
    onSuccess: () => {
      toast.success(text);
      setAsking(null);
      return refresh();
    },
    onError: (error: unknown) => toast.error(errorText(error)),
  });
  const pause = useMutation(
    trpc.reports.pauseSchedule.mutationOptions(said(one.paused ? "Report resumed" : "Report paused")),
  );
  const leave = useMutation(
    trpc.reports.leaveSchedule.mutationOptions(said("You no longer receive this report")),
  );
  const remove = useMutation(trpc.reports.removeSchedule.mutationOptions(said("Report deleted")));
  return (
    <div className="flex flex-wrap gap-1">
      {one.mine ? (
        <Button
          size="sm"
          variant="ghost"
          pending={leave.isPending}
          onClick={() => leave.mutate({ id: one.id })}
        >
          Stop sending it to me
        </Button>
      ) : null}
      {one.mayChange ? (
        <>
          <Button
            size="sm"
            variant="ghost"
            disabled={one.paused && one.recipients.length === 0}
            pending={pause.isPending}
            onClick={() => pause.mutate({ id: one.id, paused: !one.paused })}
          >
            {one.paused ? "Resume" : "Pause"}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setAsking("change")}>
            Change
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setAsking("delete")}>
            Delete
          </Button>
        </>
      ) : null}
      {asking === "change" ? <ScheduleDialog schedule={one} onClose={() => setAsking(null)} /> : null}
      <ConfirmDialog
        open={asking === "delete"}
        onClose={() => setAsking(null)}
        title={`Delete report “${one.view.name}”?`}
        confirmLabel="Delete report"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: one.id })}
      >
        It is no longer sent. The view is kept.
      </ConfirmDialog>
    </div>
  );
}
