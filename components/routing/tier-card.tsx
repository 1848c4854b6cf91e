"use client";

import { useDraggable, useDroppable } from "@dnd-kit/core";
import { CSS } from "@dnd-kit/utilities";
import { ArrowDown, ArrowUp, Ellipsis, GripVertical, Plus, Trash2, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { routingLimits } from "../../server/routing/vocabulary.ts";
import type { RuleChoices } from "../../server/routing/schemas.ts";
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
import { formatPercent } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { sumOf } from "./rule-draft.ts";
import type { Draft } from "./rule-draft.ts";

type Connection = RuleChoices["connections"][number];
type Unused = readonly { connection: Connection; warning: string | null }[];

/** One tier: a place to drop connections on, with their weights and their sum. */
export function TierCard({
  index,
  count,
  tier,
  room,
  editable,
  connections,
  warning,
  problem,
  unused,
  onWeight,
  onSpread,
  onAdd,
  onRemove,
  onMoveTo,
  onSwap,
}: {
  /** From 0. */
  index: number;
  count: number;
  tier: Draft["tiers"][number];
  /** One more tier may be made. */
  room: boolean;
  editable: boolean;
  connections: ReadonlyMap<string, Connection>;
  warning: (connectionId: string) => string | null;
  /** What the service refused of a member, or of the tier itself (null). */
  problem: (member: number | null) => string | undefined;
  unused: Unused;
  onWeight: (connectionId: string, weight: number) => void;
  onSpread: () => void;
  onAdd: (connectionId: string) => void;
  onRemove: (connectionId: string) => void;
  onMoveTo: (connectionId: string, tier: number) => void;
  onSwap: (step: 1 | -1) => void;
}) {
  const { setNodeRef, isOver } = useDroppable({ id: `tier ${String(index)}` });
  const sum = sumOf(tier);
  const title =
    index === 0
      ? "Tier 1, used first"
      : `Tier ${String(index + 1)}, when ${index === 1 ? "tier 1" : "the tiers above"} cannot send`;
  return (
    <section
      ref={setNodeRef}
      aria-label={`Tier ${String(index + 1)}`}
      className={cn("rounded-md border border-line bg-canvas", isOver && "border-accent bg-accent-soft")}
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 pt-2 pb-1.5">
        <h3 className="min-w-0 flex-1 text-xs font-semibold">{title}</h3>
        {tier.length > 1 || sum !== 100 ? (
          <Badge tone={sum === 100 ? "success" : "danger"}>
            {formatPercent(sum / 100, 0)}
            {sum < 100 ? `, ${String(100 - sum)} missing` : ""}
            {sum > 100 ? `, ${String(sum - 100)} too many` : ""}
          </Badge>
        ) : null}
        {editable ? (
          <>
            {tier.length > 1 || sum !== 100 ? (
              <Button size="sm" variant="ghost" onClick={onSpread}>
                Distribute evenly
              </Button>
            ) : null}
            {count > 1 ? (
              <span className="flex">
                <Button
                  variant="ghost"
                  size="iconSm"
                  disabled={index === 0}
                  aria-label={`Move tier ${String(index + 1)} up`}
                  onClick={() => onSwap(-1)}
                >
                  <ArrowUp aria-hidden />
                </Button>
                <Button
                  variant="ghost"
                  size="iconSm"
                  disabled={index === count - 1}
                  aria-label={`Move tier ${String(index + 1)} down`}
                  onClick={() => onSwap(1)}
                >
                  <ArrowDown aria-hidden />
                </Button>
              </span>
            ) : null}
          </>
        ) : null}
      </header>
      <ul className="grid grid-cols-1 gap-1.5 px-2 pb-2">
        {tier.map((member, at) => (
          <Member
            key={member.connectionId}
            member={member}
            connection={connections.get(member.connectionId)}
            warning={problem(at) ?? warning(member.connectionId)}
            refused={problem(at) !== undefined}
            editable={editable}
            tier={index}
            tiers={count}
            room={room && tier.length > 1}
            onWeight={(weight) => onWeight(member.connectionId, weight)}
            onRemove={() => onRemove(member.connectionId)}
            onMoveTo={(to) => onMoveTo(member.connectionId, to)}
          />
        ))}
      </ul>
      {problem(null) ? <p className="px-3 pb-2 text-xs text-danger-text">{problem(null)}</p> : null}
      {editable && tier.length < routingLimits.connections && unused.length > 0 ? (
        <div className="px-2 pb-2">
          <AddConnection label="Share with another" quiet unused={unused} onAdd={onAdd} />
        </div>
      ) : null}
    </section>
  );
}

function Member({
  member,
  connection,
  warning,
  refused,
  editable,
  tier,
  tiers,
  room,
  onWeight,
  onRemove,
  onMoveTo,
}: {
  member: Draft["tiers"][number][number];
  connection: Connection | undefined;
  warning: string | null;
  refused: boolean;
  editable: boolean;
  tier: number;
  tiers: number;
  room: boolean;
  onWeight: (weight: number) => void;
  onRemove: () => void;
  onMoveTo: (tier: number) => void;
}) {
  const name = connection?.name ?? "Missing connection";
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, isDragging } = useDraggable({
    id: member.connectionId,
    disabled: !editable,
  });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform) }}
      className={cn(
        "flex items-center gap-2 rounded-md border border-line bg-surface py-1.5 pr-1.5 pl-1",
        isDragging && "relative z-10 shadow-lg",
      )}
    >
      {editable ? (
        <button
          type="button"
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          aria-label={`Move ${name} to another tier`}
          className="grid size-6 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-ink-faint hover:bg-hover hover:text-ink"
        >
          <GripVertical className="size-4" aria-hidden />
        </button>
      ) : null}
      <div className="min-w-0 flex-1 pl-0.5">
        <p className="truncate text-sm font-medium">{name}</p>
        <p
          className={cn(
            "flex items-start gap-1 text-xs",
            refused ? "text-danger-text" : warning ? "text-warning-text" : "text-ink-muted",
          )}
        >
          {warning ? <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden /> : null}
          <span className="min-w-0">
            {warning ?? (connection ? `${connection.adapter} · data in ${connection.processingRegion}` : "")}
          </span>
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1 text-sm">
        <Input
          type="number"
          min={1}
          max={100}
          step={1}
          aria-label={`Weight of ${name}, percent`}
          className="w-16 text-right tabular"
          value={String(member.weight)}
          onChange={(event) => {
            const next = Math.round(Number(event.target.value));
            if (next >= 0 && next <= 100) onWeight(next);
          }}
        />
        <span aria-hidden className="text-ink-muted">
          %
        </span>
      </div>
      {editable ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="iconSm" aria-label={`Actions for ${name}`}>
              <Ellipsis aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            {Array.from({ length: tiers }, (_, to) =>
              to === tier ? null : (
                <DropdownMenuItem key={to} onSelect={() => onMoveTo(to)}>
                  {to < tier ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />} Move to tier {to + 1}
                </DropdownMenuItem>
              ),
            )}
            {room ? (
              <DropdownMenuItem onSelect={() => onMoveTo(tiers)}>
                <Plus aria-hidden /> Move to a new tier
              </DropdownMenuItem>
            ) : null}
            {tiers > 1 || room ? <DropdownMenuSeparator /> : null}
            <DropdownMenuItem danger onSelect={onRemove}>
              <Trash2 aria-hidden /> Remove from this rule
            </DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
      ) : null}
    </li>
  );
}

/** Where a connection is dropped to become a tier of its own. */
export function NewTier({ index, children }: { index: number; children: ReactNode }) {
  const { setNodeRef, isOver } = useDroppable({ id: `tier ${String(index)}` });
  return (
    <div
      ref={setNodeRef}
      className={cn(
        "flex rounded-md border border-dashed border-line-strong p-2",
        isOver && "border-accent bg-accent-soft",
      )}
    >
      {children}
    </div>
  );
}

/** A menu of the connections that the rule does not name yet; those that could not be used say why. */
export function AddConnection({
  label,
  quiet,
  unused,
  onAdd,
}: {
  label: string;
  quiet?: boolean;
  unused: Unused;
  onAdd: (connectionId: string) => void;
}) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="sm" variant={quiet ? "ghost" : "secondary"} disabled={unused.length === 0}>
          <Plus aria-hidden /> {label}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="max-h-80 overflow-y-auto">
        {unused.map(({ connection, warning }) => (
          <DropdownMenuItem key={connection.id} onSelect={() => onAdd(connection.id)}>
            <span className="grid min-w-0">
              <span className="truncate">{connection.name}</span>
              <span className={cn("text-xs", warning ? "text-warning-text" : "text-ink-muted")}>
                {warning ?? `${connection.adapter} · ${connection.channels.join(", ")}`}
              </span>
            </span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
