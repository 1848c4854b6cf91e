"use client";

import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import type { Announcements, DragEndEvent, KeyboardCoordinateGetter, UniqueIdentifier } from "@dnd-kit/core";
import { Layers } from "lucide-react";
import { routingLimits } from "../../server/routing/vocabulary.ts";
import type { RuleChoices } from "../../server/routing/schemas.ts";
import { usePortal, usePortalData } from "../portal/portal-context.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { addTo, moveTo, removeFrom, spreadEvenly, swapTiers, warningOf } from "./rule-draft.ts";
import type { Draft } from "./rule-draft.ts";
import { AddConnection, NewTier, TierCard } from "./tier-card.tsx";

/** Up and down go from tier to tier, the place for a new one included. */
const fromTierToTier: KeyboardCoordinateGetter = (event, { context }) => {
  const { droppableRects, droppableContainers, collisionRect } = context;
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.code];
  if (!step || !collisionRect) return undefined;
  event.preventDefault();
  const rects = droppableContainers
    .getEnabled()
    .flatMap(({ id }) => droppableRects.get(id) ?? [])
    .sort((a, b) => a.top - b.top);
  const middle = collisionRect.top + collisionRect.height / 2;
  const centers = rects.map((rect) => rect.top + rect.height / 2);
  const nearest = centers.reduce(
    (best, center, index) =>
      Math.abs(center - middle) < Math.abs((centers[best] ?? 0) - middle) ? index : best,
    0,
  );
  const target = rects[nearest + step];
  return target && { x: collisionRect.left, y: target.top + target.height / 2 - collisionRect.height / 2 };
};

/** The connections of a rule, tier by tier: dragged or moved between tiers, with the share of each. */
export function TierEditor({
  draft,
  choices,
  problems,
  editable,
  onChange,
}: {
  draft: Draft;
  choices: RuleChoices;
  /** What the service refused, by pointer: /tiers/0/1/connectionId. */
  problems: readonly { pointer: string; detail: string }[];
  editable: boolean;
  onChange: (tiers: Draft["tiers"]) => void;
}) {
  const { applications } = usePortalData();
  const sandbox = usePortal().environment.kind === "sandbox";
  const unitId = applications.find((each) => each.name === draft.application)?.unitId ?? null;
  const { tiers } = draft;
  const byId = new Map(choices.connections.map((each) => [each.id, each]));
  const used = new Set(tiers.flat().map(({ connectionId }) => connectionId));
  const unused = choices.connections
    .filter((each) => !used.has(each.id))
    .map((connection) => ({ connection, warning: warningOf(connection, draft, unitId, sandbox) }))
    .sort((a, b) => Number(a.warning !== null) - Number(b.warning !== null));
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: fromTierToTier }),
  );
  const room = tiers.length < routingLimits.tiers;
  const tierOf = (id: UniqueIdentifier) => Number(String(id).replace("tier ", ""));
  const move = (connectionId: string, to: number) => {
    if (to < tiers.length || room) onChange(moveTo(tiers, connectionId, to));
  };

  return (
    <DndContext
      id="tiers"
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={({ active, over }: DragEndEvent) => over && move(String(active.id), tierOf(over.id))}
      accessibility={{
        announcements: announcementsFor(
          (id) => byId.get(String(id))?.name ?? "The connection",
          tierOf,
          tiers.length,
        ),
      }}
    >
      <Card>
        <CardHeader
          title="Connections"
          description="The first tier sends messages, shared by weight. What it can't send goes to the next tier."
        />
        <div className="grid grid-cols-1 gap-3 px-4 pb-4">
          {tiers.length === 0 ? (
            <div className="rounded-md border border-dashed border-line-strong px-4 py-6 text-center text-sm text-ink-muted">
              <Layers className="mx-auto mb-2 size-5 text-ink-faint" aria-hidden />
              {choices.connections.length === 0
                ? "No connections yet. Add one under Providers first."
                : "Add a connection, or this rule can't send anything."}
            </div>
          ) : null}
          {tiers.map((tier, index) => (
            <TierCard
              key={index}
              index={index}
              count={tiers.length}
              tier={tier}
              room={room}
              editable={editable}
              connections={byId}
              warning={(connectionId) => warningOf(byId.get(connectionId), draft, unitId, sandbox)}
              problem={(member) =>
                problems.find(({ pointer }) =>
                  member === null
                    ? pointer === `/tiers/${String(index)}`
                    : pointer.startsWith(`/tiers/${String(index)}/${String(member)}/`),
                )?.detail
              }
              unused={unused}
              onWeight={(connectionId, weight) =>
                onChange(
                  tiers.map((members) =>
                    members.map((each) => (each.connectionId === connectionId ? { ...each, weight } : each)),
                  ),
                )
              }
              onSpread={() =>
                onChange(tiers.map((members, at) => (at === index ? spreadEvenly(members) : members)))
              }
              onAdd={(connectionId) => onChange(addTo(tiers, index, connectionId))}
              onRemove={(connectionId) => onChange(removeFrom(tiers, connectionId))}
              onMoveTo={move}
              onSwap={(step) => onChange(swapTiers(tiers, index, index + step))}
            />
          ))}
          {editable && room ? (
            <NewTier index={tiers.length}>
              <AddConnection
                label={tiers.length === 0 ? "Add connection" : "Add fallback tier"}
                unused={unused}
                onAdd={(connectionId) => onChange(addTo(tiers, tiers.length, connectionId))}
              />
            </NewTier>
          ) : null}
        </div>
      </Card>
    </DndContext>
  );
}

function announcementsFor(
  name: (id: UniqueIdentifier) => string,
  tierOf: (id: UniqueIdentifier) => number,
  count: number,
): Announcements {
  const place = (id: UniqueIdentifier) =>
    tierOf(id) >= count ? "a new tier" : `tier ${String(tierOf(id) + 1)} of ${String(count)}`;
  return {
    onDragStart: ({ active }) => `Picked up ${name(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${name(active.id)} is over ${place(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => (over ? `${name(active.id)} moved to ${place(over.id)}.` : undefined),
    onDragCancel: ({ active }) => `${name(active.id)} stays where it was.`,
  };
}
