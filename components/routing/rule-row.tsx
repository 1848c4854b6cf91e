"use client";

import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ArrowDown, ArrowUp, Copy, Ellipsis, GripVertical, Pencil, Power, Trash2 } from "lucide-react";
import type { Rule } from "../../server/routing/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { Link } from "../ui/link.tsx";
import { conditionWords, ruleName } from "./rule-words.ts";
import { TierSummary } from "./tier-summary.tsx";
import type { RuleActions } from "./use-rules.ts";

/** One rule of the list: what it is for, where it leads, and what can be done with it. */
export function RuleRow({
  rule,
  movable,
  showHandle,
  first,
  last,
  onMove,
  actions,
}: {
  rule: Rule;
  movable: boolean;
  /** Keeps the names in line where only some can be moved. */
  showHandle: boolean;
  first: boolean;
  last: boolean;
  onMove: (step: 1 | -1) => void;
  actions: RuleActions;
}) {
  const { applications, href } = usePortal();
  const name = ruleName(rule.name);
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: rule.id, disabled: !movable });
  const words = conditionWords(rule, applications);
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cn(
        "relative flex items-start gap-2 border-b border-line bg-surface px-3 py-2.5 last:border-0 lg:items-center",
        isDragging && "z-10 shadow-lg",
      )}
    >
      {showHandle ? (
        <button
          type="button"
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          disabled={!movable}
          aria-label={`Move ${name}`}
          className="mt-0.5 grid size-6 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-ink-faint hover:bg-hover hover:text-ink disabled:cursor-default disabled:opacity-30"
        >
          <GripVertical className="size-4" aria-hidden />
        </button>
      ) : null}
      <div className="grid min-w-0 grid-cols-1 flex-1 items-center gap-x-6 gap-y-1.5 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_minmax(0,1.2fr)]">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            href={href(`/routing/rules/${rule.id}`)}
            className={cn(
              "min-w-0 truncate rounded-sm text-sm font-medium hover:underline",
              !rule.enabled && "text-ink-muted",
            )}
          >
            {name}
          </Link>
          {rule.enabled ? null : <Badge tone="neutral">Off</Badge>}
          {rule.enabled && rule.shadowedBy ? (
            <Badge
              tone="warning"
              title={`“${ruleName(rule.shadowedBy.name)}” has the same conditions and wins`}
            >
              Never applies
            </Badge>
          ) : null}
        </div>
        <p className="flex min-w-0 flex-wrap items-center gap-1 text-xs">
          {words.length === 0 ? (
            <span className="text-ink-muted">All messages</span>
          ) : (
            words.map(({ label, value }) => (
              <Badge key={label} tone="outline" title={label}>
                <span className="truncate">{value}</span>
              </Badge>
            ))
          )}
        </p>
        <div className={cn("min-w-0", !rule.enabled && "opacity-60")}>
          <TierSummary tiers={rule.tiers} />
        </div>
      </div>
      {rule.editable ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="iconSm" aria-label={`Actions for ${name}`}>
              <Ellipsis aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            <DropdownMenuItem asChild>
              <Link href={href(`/routing/rules/${rule.id}`)}>
                <Pencil aria-hidden /> Edit
              </Link>
            </DropdownMenuItem>
            <DropdownMenuItem asChild>
              <Link href={href("/routing/rules/new", { from: rule.id })}>
                <Copy aria-hidden /> Duplicate
              </Link>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => actions.setEnabled(rule, !rule.enabled)}>
              <Power aria-hidden /> {rule.enabled ? "Switch off" : "Switch on"}
            </DropdownMenuItem>
            {movable ? (
              <>
                <DropdownMenuSeparator />
                <DropdownMenuItem disabled={first} onSelect={() => onMove(-1)}>
                  <ArrowUp aria-hidden /> Move up
                </DropdownMenuItem>
                <DropdownMenuItem disabled={last} onSelect={() => onMove(1)}>
                  <ArrowDown aria-hidden /> Move down
                </DropdownMenuItem>
              </>
            ) : null}
            <DropdownMenuSeparator />
            <DropdownMenuItem danger onSelect={() => actions.remove(rule)}>
              <Trash2 aria-hidden /> Delete
            </DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
      ) : null}
    </li>
  );
}
