"use client";

import type { RouteDecision, RoutingMatrix } from "../../server/routing/schemas.ts";
import { ChannelMark } from "../messages/channel.tsx";
import { Card } from "../ui/card.tsx";
import { Decision } from "./decision-cell.tsx";

type Row = RoutingMatrix["rows"][number];

/** The matrix for narrow screens: what is routed alike is told once, with the columns that it is for. */
export function MatrixCards({ matrix, by }: { matrix: RoutingMatrix; by: "region" | "type" }) {
  const applications = Map.groupBy(
    matrix.rows.filter((row) => row.live),
    (row) => row.applicationId,
  );
  if (applications.size === 0) {
    return (
      <p className="rounded-lg border border-line bg-surface px-4 py-6 text-center text-sm text-ink-muted">
        No live templates to route.
      </p>
    );
  }
  return (
    <div className="grid gap-3">
      {[...applications.values()].map((rows) => (
        <Card key={rows[0]?.applicationId} className="divide-y divide-line">
          <h2 className="px-4 py-2.5 text-sm font-semibold">{rows[0]?.title}</h2>
          {rows.map((row) => (
            <div key={row.channel} className="grid gap-2.5 px-4 py-3">
              <ChannelMark channel={row.channel} className="text-xs text-ink-muted" />
              {alike(row, matrix.columns).map(({ columns, decision }, index) => (
                <div key={index}>
                  <p className="text-xs font-medium break-words">{columns.join(", ")}</p>
                  <Decision decision={decision} by={by} several />
                </div>
              ))}
            </div>
          ))}
        </Card>
      ))}
    </div>
  );
}

function alike(row: Row, columns: readonly string[]): { columns: string[]; decision: RouteDecision }[] {
  const found = new Map<string, { columns: string[]; decision: RouteDecision }>();
  row.cells.forEach((cell, index) => {
    for (const decision of cell ?? []) {
      const key = JSON.stringify([decision.ruleId, decision.tiers, decision.problem]);
      const known = found.get(key);
      if (known) known.columns.push(columns[index] ?? "");
      else found.set(key, { columns: [columns[index] ?? ""], decision });
    }
  });
  return [...found.values()];
}
