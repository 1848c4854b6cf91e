"use client";

import type { RoutingMatrix } from "../../server/routing/schemas.ts";
import { ChannelMark } from "../messages/channel.tsx";
import { cn } from "../ui/cn.ts";
import { DecisionCell } from "./decision-cell.tsx";

/** The whole matrix; the first column and the headings stay while the rest scrolls. */
export function MatrixTable({ matrix, by }: { matrix: RoutingMatrix; by: "region" | "type" }) {
  const label = by === "region" ? "regions" : "notification types";
  return (
    <div
      role="region"
      aria-label={`Routing by ${label}`}
      // A keyboard scrolls what it can focus.
      tabIndex={0}
      className="max-h-[max(24rem,calc(100dvh-15rem))] overflow-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-max min-w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky top-0 left-0 z-20 h-8 min-w-60 border-r border-b border-line bg-canvas px-3 text-left text-xs font-medium text-ink-muted"
            >
              Application and channel
            </th>
            {matrix.columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="sticky top-0 z-10 h-8 border-b border-line bg-canvas px-3 text-left text-xs font-medium whitespace-nowrap text-ink-muted"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row, index) => {
            const first = matrix.rows[index - 1]?.applicationId !== row.applicationId;
            const last = matrix.rows[index + 1]?.applicationId !== row.applicationId;
            return (
              <tr key={`${row.applicationId} ${row.channel}`}>
                <th
                  scope="row"
                  className={cn(
                    "sticky left-0 z-10 h-10 max-w-72 border-r border-line bg-surface px-3 text-left font-normal",
                    last && "border-b",
                  )}
                >
                  <span className="flex items-center justify-between gap-3">
                    <span className={first ? "truncate font-medium" : "sr-only"}>{row.title}</span>
                    <ChannelMark
                      channel={row.channel}
                      className={cn("ml-auto shrink-0 text-xs", !row.live && "text-ink-faint")}
                    />
                  </span>
                </th>
                {row.cells.map((cell, at) => (
                  <td
                    key={matrix.columns[at]}
                    className={cn("h-10 px-1.5", last && "border-b border-line", !row.live && "opacity-60")}
                  >
                    <DecisionCell
                      decisions={cell}
                      live={row.live}
                      place={`${row.title}, ${row.channel}, ${matrix.columns[at] ?? ""}`}
                      by={by}
                    />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
