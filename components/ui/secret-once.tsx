"use client";

import { TriangleAlert } from "lucide-react";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { shownOnce } from "./leaving.ts";

/** Shows a secret that will never be shown again. It closes only by its button, so that no stray click loses it. */
export function SecretOnce({
  secret,
  title,
  explanation,
  onClose,
}: {
  secret: string | null;
  title: string;
  explanation: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={secret !== null}
      title={title}
      description={explanation}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-2 pr-2 pl-3">
        <code {...shownOnce} className="min-w-0 flex-1 font-mono text-sm break-all select-all">
          {secret ?? ""}
        </code>
        <CopyButton value={secret ?? ""} label="Copy secret" className="size-7" />
      </div>
      <p className="mt-3 flex items-start gap-2 text-sm text-warning-text">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        Copy it now. It can't be shown again.
      </p>
      <LeaveGuard title="Leave this page?" onDiscard={onClose}>
        The secret can't be shown again.
      </LeaveGuard>
    </Dialog>
  );
}
