"use client";

import { HardDrive, History, Users } from "lucide-react";
import type { ReactNode } from "react";
import type { Template } from "../../../server/templates/schemas.ts";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { AbsoluteTime } from "../../ui/time.tsx";
import type { StoredDraft } from "./stored-draft.ts";

/** Where the draft comes from, when that is not the version that is saved, and whether this device keeps it. */
export function DraftNotices({
  restored,
  kept,
  baseVersion,
  latest,
  onCompare,
  onDiscard,
}: {
  restored: StoredDraft | null;
  kept: boolean;
  baseVersion: number | null;
  latest: Template | undefined;
  onCompare: () => void;
  onDiscard: () => void;
}) {
  const isBehind = latest !== undefined && baseVersion !== null && latest.latestVersion > baseVersion;
  const newest = latest?.versions[0];
  return (
    <>
      {kept ? null : (
        <Notice tone="warning" icon={HardDrive} alert>
          This browser can't keep your draft because its storage is full or disabled. Save before you leave or
          reload.
        </Notice>
      )}
      {restored || isBehind ? (
        <Notice
          tone={isBehind ? "warning" : "info"}
          icon={isBehind ? Users : History}
          actions={
            <>
              {isBehind ? (
                <Button size="sm" onClick={onCompare}>
                  Compare
                </Button>
              ) : null}
              {restored ? (
                <Button size="sm" variant="ghost" onClick={onDiscard}>
                  Discard draft
                </Button>
              ) : null}
            </>
          }
        >
          {restored ? (
            <>
              Draft of <AbsoluteTime value={restored.at} />
              {baseVersion === null ? ", not saved yet" : `, made from version ${baseVersion}`}
            </>
          ) : (
            <>You are editing version {baseVersion}</>
          )}
          {isBehind
            ? `; version ${latest.latestVersion}${newest ? ` of ${newest.author}` : ""} is newer.`
            : "."}
        </Notice>
      ) : null}
    </>
  );
}

/** One line above the text: what is the matter, and what can be done. */
export function Notice({
  tone,
  icon: Icon,
  alert,
  actions,
  children,
}: {
  tone: "info" | "warning" | "danger";
  icon: typeof History;
  alert?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      role={alert ? "alert" : "status"}
      className={cn(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md px-3 py-2 text-sm",
        tone === "info" && "bg-info-soft text-info-text",
        tone === "warning" && "bg-warning-soft text-warning-text",
        tone === "danger" && "bg-danger-soft text-danger-text",
      )}
    >
      <Icon className="size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1 basis-56 break-words">{children}</div>
      {actions ? <div className="flex flex-wrap items-center gap-1.5">{actions}</div> : null}
    </div>
  );
}
