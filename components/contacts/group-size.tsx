import type { ContactGroup } from "../../server/contacts/schemas.ts";
import { formatNumber } from "../ui/format.ts";
import { RelativeTime } from "../ui/time.tsx";

/** How many contacts a group has; of one by filter, when they were counted. */
export function GroupSize({ group, long = false }: { group: ContactGroup; long?: boolean }) {
  if (group.size === null) return <span className="text-ink-muted">Counting…</span>;
  return (
    <span className="tabular">
      {formatNumber(group.size)}
      {long && group.kind === "filter" && group.countedAt ? (
        <span className="text-ink-muted">
          , counted <RelativeTime value={group.countedAt} />
        </span>
      ) : null}
    </span>
  );
}
