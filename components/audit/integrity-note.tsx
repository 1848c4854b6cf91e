"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck, ShieldQuestion } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { formatNumber } from "../ui/format.ts";
import { RelativeTime } from "../ui/time.tsx";

const IntegrityDialog = dynamic(() =>
  import("./integrity-dialog.tsx").then((module) => module.IntegrityDialog),
);

/** How far the trail was verified; when something is wrong with it, that and what to do. */
export function IntegrityNote() {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const query = useQuery(trpc.audit.integrity.queryOptions(undefined, { refetchInterval: 30_000 }));
  const integrity = query.data;
  if (!integrity) {
    return query.isError ? (
      <div className="mb-3 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-surface px-4 py-1.5 text-sm">
        <ShieldQuestion className="size-4 shrink-0 text-ink-faint" aria-hidden />
        <p className="min-w-0 flex-1 basis-56">
          Whether the trail was verified couldn't be loaded. {errorText(query.error)}
        </p>
        <Button variant="ghost" size="sm" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </div>
    ) : (
      <div className="mb-3 h-10 rounded-lg border border-line bg-surface" aria-hidden />
    );
  }
  const details = (
    <Button variant="ghost" size="sm" onClick={() => setOpen(true)}>
      Details
    </Button>
  );
  return (
    <>
      {integrity.failure ? (
        <div
          role="alert"
          className="mb-3 flex flex-wrap items-start gap-3 rounded-lg border border-line bg-danger-soft px-4 py-3 text-sm text-danger-text"
        >
          <ShieldAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          <div className="min-w-0 flex-1 basis-64">
            <p className="font-medium">The audit trail has been tampered with</p>
            <p className="mt-0.5">
              {integrity.failure.detail} Found <RelativeTime value={integrity.failure.foundAt} />.
            </p>
            <p className="mt-1">
              Export it now, keep it with the checkpoint file, and find out who has access to the database.
            </p>
          </div>
          {details}
        </div>
      ) : (
        <div className="mb-3 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-surface px-4 py-1.5 text-sm">
          {integrity.verified ? (
            <ShieldCheck className="size-4 shrink-0 text-success-text" aria-hidden />
          ) : (
            <ShieldQuestion className="size-4 shrink-0 text-ink-faint" aria-hidden />
          )}
          <p className="min-w-0 flex-1 basis-56">
            {integrity.verified ? (
              <>
                Verified up to entry {formatNumber(integrity.verified.sequence)} of{" "}
                {formatNumber(integrity.entries)},{" "}
                <RelativeTime value={integrity.verified.at} className="text-ink-muted" />
              </>
            ) : (
              <span className="text-ink-muted">
                {integrity.entries === 0
                  ? "The first entries are added to the chain within seconds."
                  : "Not verified yet. This happens every minute."}
              </span>
            )}
          </p>
          {details}
        </div>
      )}
      {open ? <IntegrityDialog integrity={integrity} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
