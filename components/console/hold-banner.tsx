"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CirclePause } from "lucide-react";
import { useState } from "react";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { RelativeTime } from "../ui/time.tsx";
import { toast } from "../ui/toast.ts";
import { useConsole } from "./client.tsx";

/** On every page of the console while sending is on hold: why, what waits, and its release. */
export function HoldBanner() {
  const api = useConsole();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { data: hold } = useQuery(
    api.installation.hold.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data === undefined ? false : 15_000),
    }),
  );
  const release = useMutation(
    api.installation.release.mutationOptions({
      onSuccess: async () => {
        setAsking(false);
        await queryClient.invalidateQueries();
        toast.success("Sending released");
      },
      onError: (error) => toast.error("Sending could not be released", { description: errorText(error) }),
    }),
  );
  if (!hold) return null;
  const { sums } = hold;
  const toSend = sums.messages - sums.expired;
  return (
    <section
      aria-label="Sending is on hold"
      className="border-b border-line bg-warning-soft py-2.5 text-sm text-warning-text"
    >
      <div className="mx-auto flex max-w-[80rem] flex-wrap items-start gap-x-4 gap-y-2 px-4 sm:px-6 lg:px-8">
        <CirclePause className="mt-0.5 -mr-2 size-4 shrink-0" aria-hidden />
        <p className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
          <span className="font-medium">Sending is on hold</span> since <RelativeTime value={hold.heldAt} /> (
          {hold.heldBy}): {hold.reason}. {plural(sums.messages, "message")} of{" "}
          {plural(sums.organisations, "organisation")} waiting
          {sums.expired > 0 ? `, ${formatNumber(sums.expired)} of them expired` : ""}
          {sums.oldestAt ? (
            <>
              , the oldest from <RelativeTime value={sums.oldestAt} />
            </>
          ) : null}
          ; {plural(sums.broadcasts, "broadcast")}; {formatNumber(sums.webhooks)} webhook{" "}
          {sums.webhooks === 1 ? "delivery" : "deliveries"}.
        </p>
        <Button size="sm" onClick={() => setAsking(true)}>
          Release sending
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Release sending?"
        confirmLabel="Release sending"
        danger={false}
        pending={release.isPending}
        onConfirm={() => release.mutate()}
      >
        {plural(toSend, "message")} will be sent, {formatNumber(sums.expired)} will expire. After a restore,
        messages that were sent after the backup was made are sent again.
      </ConfirmDialog>
    </section>
  );
}
