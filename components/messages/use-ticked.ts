"use client";

import { useState } from "react";
import type { NotificationSummary } from "../../server/sending/schemas.ts";

const nothing: ReadonlyMap<string, NotificationSummary> = new Map();

/**
 * The messages that are ticked, over all pages of a list; a change of its filters unticks them, because nobody would see any more what
 * is ticked. At most `most`: what is beyond is left as it was.
 */
export function useTicked(filter: object, most: number) {
  const key = JSON.stringify(filter);
  const [ticked, setTicked] = useState({ key, rows: nothing });
  const rows = ticked.key === key ? ticked.rows : nothing;
  return {
    ids: new Set(rows.keys()),
    rows: [...rows.values()],
    select: (these: readonly NotificationSummary[], on: boolean) => {
      const next = new Map(rows);
      for (const row of these) {
        if (!on) next.delete(row.notificationId);
        else if (next.size < most) next.set(row.notificationId, row);
      }
      setTicked({ key, rows: next });
    },
    clear: () => setTicked({ key, rows: nothing }),
  };
}
