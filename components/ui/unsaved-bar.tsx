"use client";

import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { LeaveGuard } from "./leave-guard.tsx";

/** Stays in view while a form differs from what is saved: says so, offers both ways out, and asks before the page is left. */
export function UnsavedBar({
  children,
  saveLabel,
  pending,
  lost = "Your changes",
  ofEnvironment,
  onDiscard,
}: {
  children: ReactNode;
  saveLabel: string;
  pending: boolean;
  /** What is lost with the page. */
  lost?: string;
  /** The form is of one environment, and another one leaves it. */
  ofEnvironment?: boolean | undefined;
  onDiscard: () => void;
}) {
  return (
    <div
      role="group"
      aria-label="Unsaved changes"
      className="sticky bottom-4 z-20 mt-4 flex flex-wrap items-center justify-end gap-2 rounded-lg border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-lg"
    >
      <p className="min-w-0 flex-1 basis-60 text-sm text-ink-muted">{children}</p>
      <Button disabled={pending} onClick={onDiscard}>
        Discard
      </Button>
      <Button type="submit" variant="primary" pending={pending}>
        {saveLabel}
      </Button>
      <LeaveGuard onDiscard={onDiscard} ofEnvironment={ofEnvironment}>
        {lost} will be lost.
      </LeaveGuard>
    </div>
  );
}
