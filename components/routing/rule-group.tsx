"use client";

import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import type { Announcements, DragEndEvent, UniqueIdentifier } from "@dnd-kit/core";
import {
  SortableContext,
  arrayMove,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { useState } from "react";
import type { Rule } from "../../server/routing/schemas.ts";
import { Card } from "../ui/card.tsx";
import { RuleRow } from "./rule-row.tsx";
import { ruleName, specificityWords } from "./rule-words.ts";
import type { RuleActions } from "./use-rules.ts";

/** Rules that are equally specific, in an order that can be changed. */
export function RuleGroup({
  specificity,
  rules,
  sortable,
  actions,
}: {
  specificity: number;
  rules: readonly Rule[];
  sortable: boolean;
  actions: RuleActions;
}) {
  // Where the reader has put them, until the server has answered.
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const shown = order ? order.flatMap((id) => byId.get(id) ?? []) : rules;
  const ids = shown.map((rule) => rule.id);
  const movable = sortable && rules.length > 1 && rules.some((rule) => rule.editable);

  function move(id: string, to: number) {
    const from = ids.indexOf(id);
    if (from < 0 || to < 0 || to >= ids.length || from === to) return;
    const next = arrayMove(ids, from, to);
    setOrder(next);
    actions.reorder(next, () => setOrder(null));
  }
  function onDragEnd({ active, over }: DragEndEvent) {
    if (over) move(String(active.id), ids.indexOf(String(over.id)));
  }
  const heading = specificityWords(specificity);
  return (
    <section aria-label={heading}>
      <h2 className="mb-2 flex items-baseline gap-2 text-sm font-semibold">
        {heading}
        <span className="text-xs font-normal text-ink-muted tabular">{rules.length}</span>
      </h2>
      <DndContext
        id={`rules-${String(specificity)}`}
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{ announcements: announcementsFor(byId, ids) }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <Card className="overflow-hidden">
            <ol>
              {shown.map((rule, index) => (
                <RuleRow
                  key={rule.id}
                  rule={rule}
                  movable={movable && rule.editable && !actions.pending}
                  showHandle={movable}
                  onMove={(step) => move(rule.id, index + step)}
                  first={index === 0}
                  last={index === shown.length - 1}
                  actions={actions}
                />
              ))}
            </ol>
          </Card>
        </SortableContext>
      </DndContext>
    </section>
  );
}

function announcementsFor(rules: ReadonlyMap<string, Rule>, ids: readonly string[]): Announcements {
  const name = (id: UniqueIdentifier) => ruleName(rules.get(String(id))?.name ?? null);
  const place = (id: UniqueIdentifier) => `${String(ids.indexOf(String(id)) + 1)} of ${String(ids.length)}`;
  return {
    onDragStart: ({ active }) => `Picked up ${name(active.id)}, rule ${place(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${name(active.id)} is at ${place(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => (over ? `${name(active.id)} put down at ${place(over.id)}.` : undefined),
    onDragCancel: ({ active }) => `${name(active.id)} is back where it was.`,
  };
}
