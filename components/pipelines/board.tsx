"use client";

import { GitCompareArrows, Workflow, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { BoardRow } from "../../server/pipelines/schemas.ts";
import { byName, Pager } from "../data-table/pager.tsx";
import { SearchBox } from "../data-table/search-box.tsx";
import { ChannelFilter } from "../messages/channel-filter.tsx";
import { usePortal, type PortalApplication } from "../portal/portal-context.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { AllDone, NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { BoardTable } from "./board-table.tsx";
import { canMove, stagePairs, type StagePair } from "./stages.ts";
import { TemplatePanel } from "./template-panel.tsx";
import { useBoard } from "./use-board.ts";

const PromoteDialog = dynamic(() => import("./promote-dialog.tsx").then((module) => module.PromoteDialog));

/** Which templates are to be promoted; null: every one in which the two stages differ. */
type Wish = { pair: StagePair; ids: readonly string[] | null };

/** The board of one application: filters, table, selection, and the panel of the open row. */
export function Board({ application }: { application: PortalApplication }) {
  const { canIn, href } = usePortal();
  const board = useBoard(application.name);
  const { query, values } = board;
  // Rows stay chosen while the reader turns pages and filters, so what was chosen is kept with its row.
  const [chosen, setChosen] = useState<ReadonlyMap<string, BoardRow>>(new Map());
  const [wish, setWish] = useState<Wish | null>(null);

  const data = query.data;
  const pipeline = data?.pipeline;
  const pairs = pipeline ? stagePairs(pipeline) : [];
  const mayPromote = canIn("promotions:request", application.unitId);
  // What is known now of a row; a chosen one on another page as it was when it was chosen.
  const now = (id: string) => data?.data.find((row) => row.templateId === id) ?? chosen.get(id);
  const selected = [...chosen.keys()].flatMap((id) => now(id) ?? []);
  const opened = values.open ? data?.data.find((row) => row.templateId === values.open) : undefined;

  function toggle(rows: readonly BoardRow[], on: boolean) {
    const next = new Map(chosen);
    for (const row of rows) {
      if (on) next.set(row.templateId, row);
      else next.delete(row.templateId);
    }
    setChosen(next);
  }

  const emptyText =
    values.differing && values.q === "" && values.channel === null ? (
      <AllDone title="All stages are the same">
        Every template of {application.title} is live with the same version in every stage.{" "}
        <Button variant="link" onClick={board.clear}>
          Show all templates
        </Button>
      </AllDone>
    ) : board.narrowed ? (
      <NoMatch what="templates" onClear={board.clear} />
    ) : (
      <NothingYet
        icon={Workflow}
        title="No templates yet"
        action={
          canIn("templates:write", application.unitId) ? (
            <Button asChild variant="primary">
              <Link href={href("/templates/new", { application: application.name })}>New template</Link>
            </Button>
          ) : null
        }
      >
        Saved templates for {application.title} go live in the first stage and appear here, ready to promote.
      </NothingYet>
    );

  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox
          value={values.q}
          onChange={(q) => board.change({ q: q === "" ? null : q })}
          placeholder="Template name…"
          label="Search templates"
          className="w-full sm:w-64"
        />
        <ChannelFilter value={values.channel} onChange={(channel) => board.change({ channel })} />
        <Button
          aria-pressed={values.differing}
          className={cn(
            values.differing && "border-accent bg-accent-soft text-accent-text hover:bg-accent-soft",
          )}
          onClick={() => board.change({ differing: values.differing ? null : true })}
        >
          <GitCompareArrows aria-hidden /> Differences only
        </Button>
        {board.narrowed ? (
          <Button variant="ghost" size="sm" onClick={board.clear}>
            Clear
          </Button>
        ) : null}
      </div>

      {query.isError && !data ? (
        <div className="rounded-lg border border-line bg-surface">
          <QueryFailed what="the pipeline" query={query} />
        </div>
      ) : (
        <div className={cn("transition-opacity", query.isPlaceholderData && "opacity-60")}>
          <BoardTable
            application={application}
            board={data}
            pairs={pairs}
            selectable={mayPromote && pairs.length > 0}
            chosen={chosen}
            onToggle={toggle}
            openId={values.open}
            onOpen={(row) => board.setOpen(row.templateId)}
            onPromoteAll={mayPromote ? (pair) => setWish({ pair, ids: null }) : undefined}
            empty={emptyText}
            footer={
              <Pager
                cursor={values.cursor}
                nextCursor={data?.nextCursor}
                onChange={board.setCursor}
                words={byName}
              />
            }
          />
        </div>
      )}

      {selected.length > 0 ? (
        <SelectionBar
          selected={selected}
          pairs={pairs}
          onPromote={(pair) =>
            setWish({ pair, ids: selected.filter((row) => canMove(row, pair)).map((row) => row.templateId) })
          }
          onClear={() => setChosen(new Map())}
        />
      ) : null}

      {opened && pipeline ? (
        <TemplatePanel
          key={opened.templateId}
          row={opened}
          pipeline={pipeline}
          onClose={() => board.setOpen(null)}
          onPromote={mayPromote ? (pair) => setWish({ pair, ids: [opened.templateId] }) : undefined}
        />
      ) : null}
      {wish && pipeline ? (
        <PromoteDialog
          pair={wish.pair}
          rows={wish.ids?.flatMap((id) => now(id) ?? []) ?? null}
          pipeline={pipeline}
          onClose={() => setWish(null)}
          onCreated={() => setChosen(new Map())}
        />
      ) : null}
    </>
  );
}

function SelectionBar({
  selected,
  pairs,
  onPromote,
  onClear,
}: {
  selected: readonly BoardRow[];
  pairs: readonly StagePair[];
  onPromote: (pair: StagePair) => void;
  onClear: () => void;
}) {
  return (
    <div
      role="toolbar"
      aria-label="Selected templates"
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-lg"
    >
      <span className="mr-2 text-sm font-medium" aria-live="polite">
        {plural(selected.length, "template")} selected
      </span>
      {pairs.map((pair) => {
        const count = selected.filter((row) => canMove(row, pair)).length;
        return (
          <Button
            key={pair.to.environmentId}
            variant={count > 0 ? "primary" : "secondary"}
            disabled={count === 0}
            title={count === 0 ? `No differences between ${pair.from.name} and ${pair.to.name}` : undefined}
            onClick={() => onPromote(pair)}
          >
            Promote {count > 0 ? `${count} ` : ""}to {pair.to.name}
          </Button>
        );
      })}
      <Button variant="ghost" size="icon" aria-label="Clear selection" onClick={onClear}>
        <X aria-hidden />
      </Button>
    </div>
  );
}
