import type { ImportDetails } from "../../server/imports/schemas.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatPercent, plural } from "../ui/format.ts";
import { ProgressBar } from "./progress-bar.tsx";

/** The dry run or the run under way, or waiting for another one. */
export function ImportProgress({ one }: { one: ImportDetails }) {
  const checking = one.state === "checking";
  const title = checking ? "Checking rows" : "Importing";
  return (
    <Card>
      <CardHeader
        title={one.ahead > 0 ? "Waiting" : title}
        description={
          one.ahead > 0
            ? `${plural(one.ahead, "import")} of your organisation ${one.ahead === 1 ? "comes" : "come"} first.`
            : checking
              ? "Nothing has changed yet. You can leave this page."
              : "You can leave this page."
        }
      />
      <div className="px-4 pb-4">
        <ProgressBar share={one.share} label={title} />
        <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-ink-muted tabular">
          <span>
            {plural(one.rows, "row")}
            {one.counts.failed > 0 ? <>, {plural(one.counts.failed, "row")} with errors</> : null}
          </span>
          <span>{formatPercent(one.share, 0)}</span>
        </p>
      </div>
    </Card>
  );
}
