"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { SavedView } from "../../server/reports/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { plural } from "../ui/format.ts";

function reportsLost(view: SavedView | null): string {
  if (!view || view.reports === 0) return "It has no scheduled reports.";
  const told = view.reportsOfOthers > 0 || !view.own;
  return `Its ${plural(view.reports, "scheduled report")} will be deleted as well.${told ? " The people who scheduled them are told." : ""}`;
}

/** All views of a page, with what can be done with each. */
export function ManageViewsDialog({
  views,
  mailable,
  onChange,
  onMail,
  onClose,
}: {
  views: readonly SavedView[];
  mailable: boolean;
  onChange: (view: SavedView) => void;
  onMail: (view: SavedView) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("reports");
  const [leaving, setLeaving] = useState<SavedView | null>(null);
  const remove = useMutation(
    trpc.reports.removeView.mutationOptions({
      onSuccess: () => {
        toast.success("View deleted");
        setLeaving(null);
        return refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  return (
    <Dialog open onClose={onClose} title="Saved views of this page">
      <ul className="divide-y divide-line" aria-label="Views">
        {views.map((view) => (
          <li key={view.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 text-sm">
            <span className="min-w-0 flex-1 basis-40">
              <span className="flex items-center gap-2">
                <span className="truncate font-medium">{view.name}</span>
                {view.shared ? <Badge tone="info">Shared</Badge> : null}
              </span>
              {view.own ? null : <span className="block text-xs text-ink-muted">by {view.by}</span>}
            </span>
            <span className="flex gap-1">
              {mailable ? (
                <Button size="sm" variant="ghost" onClick={() => onMail(view)}>
                  E-mail
                </Button>
              ) : null}
              {view.mayChange ? (
                <>
                  <Button size="sm" variant="ghost" onClick={() => onChange(view)}>
                    Change
                  </Button>
                  <Button size="sm" variant="ghost" onClick={() => setLeaving(view)}>
                    Delete
                  </Button>
                </>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title={`Delete “${leaving?.name ?? ""}”?`}
        confirmLabel="Delete view"
        pending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ id: leaving.id })}
      >
        {leaving?.shared ? "It is shared, so everyone loses it. " : ""}
        {mailable ? reportsLost(leaving) : "Messages are not affected."}
      </ConfirmDialog>
    </Dialog>
  );
}
