"use client";

import { ChevronRight, X } from "lucide-react";
import { useState } from "react";
import type { PromotionItem } from "../../server/pipelines/schemas.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { plural } from "../ui/format.ts";
import { TemplateLabel, templateText } from "./template-label.tsx";
import { VersionDiff } from "./version-diff-later.tsx";
import { VersionMove } from "./version-chip.tsx";

const pageSize = 50;

/** The templates of a promotion with the versions that they move between; each opens to show what changes. */
export function ItemList({
  items,
  first = pageSize,
  onLeave,
}: {
  items: readonly PromotionItem[];
  /** How many are shown before more are asked for. */
  first?: number;
  /** Takes one out of the promotion; without it the list is only for reading. */
  onLeave?: ((templateId: string) => void) | undefined;
}) {
  // A single change is what the reader came for.
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(items.length === 1 ? items.map((item) => item.templateId) : []),
  );
  const [shown, setShown] = useState(first);
  const visible = items.slice(0, shown);

  function toggle(id: string) {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  }

  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <ul className="divide-y divide-line">
        {visible.map((item) => {
          const expanded = open.has(item.templateId);
          return (
            <li key={item.templateId}>
              <div className="flex items-center gap-1 pr-1.5">
                <button
                  type="button"
                  aria-expanded={expanded}
                  aria-label={`Changes of ${templateText(item)}`}
                  className="flex min-h-10 min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 px-2.5 py-1.5 text-left hover:bg-hover"
                  onClick={() => toggle(item.templateId)}
                >
                  <span className="flex min-w-0 items-center gap-1.5">
                    <ChevronRight
                      className={cn(
                        "size-4 shrink-0 text-ink-faint transition-transform",
                        expanded && "rotate-90",
                      )}
                      aria-hidden
                    />
                    <TemplateLabel template={item} />
                  </span>
                  <VersionMove from={item.previousVersion} to={item.version} className="pl-5.5 sm:pl-0" />
                </button>
                {onLeave ? (
                  <Button
                    variant="ghost"
                    size="iconSm"
                    aria-label={`Leave out ${templateText(item)}`}
                    title="Leave out"
                    onClick={() => onLeave(item.templateId)}
                  >
                    <X aria-hidden />
                  </Button>
                ) : null}
              </div>
              {expanded ? (
                <div className="border-t border-line bg-canvas p-3">
                  <VersionDiff templateId={item.templateId} from={item.previousVersion} to={item.version} />
                </div>
              ) : null}
            </li>
          );
        })}
      </ul>
      {items.length > visible.length ? (
        <div className="border-t border-line px-2.5 py-1.5">
          <Button variant="ghost" size="sm" onClick={() => setShown(shown + pageSize)}>
            Show {plural(Math.min(pageSize, items.length - visible.length), "more", "more")} of{" "}
            {plural(items.length, "template")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
