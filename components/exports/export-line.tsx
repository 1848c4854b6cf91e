"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { ExportView } from "../../server/exports/schemas.ts";
import { fileSize } from "../imports/import-words.ts";
import { ProgressBar } from "../imports/progress-bar.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatPercent, plural } from "../ui/format.ts";
import { RelativeTime } from "../ui/time.tsx";
import { filterWords, kindWords, stateWords } from "./export-words.ts";

/** One export: what it is of, how far it has come, and its file. */
export function ExportLine({ one }: { one: ExportView }) {
  const { environments, units } = usePortal();
  const { label, tone } = stateWords[one.state];
  const running = one.state === "running";
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{one.fileName}</span>
          <Badge tone={tone}>{label}</Badge>
        </div>
        <p className="mt-0.5 break-words text-ink-muted">
          {kindWords[one.kind]}: {filterWords(one, { environments, units })}
        </p>
        <p className="mt-0.5 text-ink-muted">
          Requested <RelativeTime value={one.createdAt} />
          {one.ahead > 0
            ? `, ${plural(one.ahead, "export")} of your organisation ${one.ahead === 1 ? "comes" : "come"} first`
            : null}
          {one.rows > 0 ? `, ${plural(one.rows, "row")}, ${fileSize(one.bytes)}` : null}
          {one.rows === 0 && one.state === "finished" ? ", no rows" : null}
          {one.expiresAt ? (
            <>
              , deleted <RelativeTime value={one.expiresAt} ahead />
            </>
          ) : null}
        </p>
        {one.problem ? <p className="mt-1 text-danger-text">{one.problem}</p> : null}
        {running ? (
          <div className="mt-2 flex items-center gap-3">
            <div className="flex-1">
              <ProgressBar share={one.share} label={`Writing ${one.fileName}`} />
            </div>
            <span className="text-ink-muted tabular">{formatPercent(one.share, 0)}</span>
          </div>
        ) : null}
      </div>
      <Actions one={one} />
    </li>
  );
}

function Actions({ one }: { one: ExportView }) {
  const { tenant } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("exports");
  const [asking, setAsking] = useState(false);
  const said = (text: string) => ({
    onSuccess: () => {
      toast.success(text);
      setAsking(false);
      return refresh();
    },
    onError: (error: unknown) => {
      toast.error(errorText(error));
      return refresh();
    },
  });
  const cancel = useMutation(trpc.exports.cancel.mutationOptions(said(`${one.fileName} is canceled`)));
  const remove = useMutation(trpc.exports.remove.mutationOptions(said(`${one.fileName} is deleted`)));
  if (one.state === "waiting" || one.state === "running") {
    return (
      <Button size="sm" pending={cancel.isPending} onClick={() => cancel.mutate({ id: one.id })}>
        Cancel
      </Button>
    );
  }
  const ready = one.state === "finished";
  return (
    <div className="flex gap-2">
      {ready ? (
        <Button asChild size="sm" variant="primary">
          <a href={`/${tenant.slug}/exports/${one.id}/file`} download>
            <Download aria-hidden /> Download
          </a>
        </Button>
      ) : null}
      <Button
        size="sm"
        variant="ghost"
        pending={remove.isPending}
        onClick={() => (ready ? setAsking(true) : remove.mutate({ id: one.id }))}
      >
        {ready ? "Delete" : "Remove"}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${one.fileName}?`}
        confirmLabel="Delete file"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: one.id })}
      >
        The messages and costs themselves are not deleted. You can export them again.
      </ConfirmDialog>
    </div>
  );
}
