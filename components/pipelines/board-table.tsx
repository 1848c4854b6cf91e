"use client";

import { ArrowRight, Clock } from "lucide-react";
import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import type { Board, BoardRow } from "../../server/pipelines/schemas.ts";
import { EnvironmentSwatch } from "../layout/environment-mark.tsx";
import { usePortal, type PortalApplication } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { cn } from "../ui/cn.ts";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { gateDemands, gateTitles } from "./gates.ts";
import { canMove, openPromotion, type StagePair } from "./stages.ts";
import { TemplateLabel, templateText } from "./template-label.tsx";
import { VersionChip } from "./version-chip.tsx";

type Props = {
  application: PortalApplication;
  /** undefined: still loading. */
  board: Board | undefined;
  pairs: readonly StagePair[];
  selectable: boolean;
  chosen: ReadonlyMap<string, BoardRow>;
  onToggle: (rows: readonly BoardRow[], on: boolean) => void;
  openId: string | null;
  onOpen: (row: BoardRow) => void;
  /** Without it nothing may be promoted by this reader. */
  onPromoteAll: ((pair: StagePair) => void) | undefined;
  empty: ReactNode;
  footer: ReactNode;
};

/** Stages as columns, templates as rows; between two stages a mark says where they differ. */
export function BoardTable(props: Props) {
  const { board, openId, onOpen } = props;
  const rows = board?.data;
  const [cursorId, setCursorId] = useState<string | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const activeId = openId ?? cursorId;

  function move(step: 1 | -1) {
    if (!rows || rows.length === 0) return;
    const index = rows.findIndex((row) => row.templateId === activeId);
    const next = rows[index === -1 ? (step === 1 ? 0 : rows.length - 1) : index + step];
    if (!next) return;
    setCursorId(next.templateId);
    if (openId) onOpen(next);
  }
  useShortcut("j", () => move(1), { label: "Next template" });
  useShortcut("k", () => move(-1), { label: "Previous template" });
  useShortcut(
    "Enter",
    () => {
      const row = rows?.find((each) => each.templateId === cursorId);
      if (row) onOpen(row);
    },
    { label: "Open template", enabled: cursorId !== null && !openId },
  );
  useEffect(() => {
    if (!activeId) return;
    container.current
      ?.querySelector(`[data-row-id="${CSS.escape(activeId)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  return (
    <div
      ref={container}
      className="overflow-hidden rounded-lg border border-line bg-surface"
      aria-busy={rows === undefined}
    >
      {rows?.length === 0 ? (
        props.empty
      ) : (
        <>
          <div className="hidden overflow-x-auto sm:block">
            <table className="w-full border-collapse text-sm">
              <caption className="sr-only">Templates of {props.application.title} by stage</caption>
              <BoardHead {...props} />
              <tbody>
                {rows
                  ? rows.map((row) => (
                      <BoardLine
                        key={row.templateId}
                        row={row}
                        {...props}
                        active={row.templateId === activeId}
                        onOpen={() => {
                          setCursorId(row.templateId);
                          onOpen(row);
                        }}
                      />
                    ))
                  : Array.from({ length: 12 }, (_, index) => (
                      <tr key={index} className="h-9 border-b border-line last:border-0">
                        <td className="px-4" colSpan={2}>
                          <Skeleton className="w-52" />
                        </td>
                        {props.application.stages.map((id) => (
                          <td key={id} className="px-3" colSpan={2}>
                            <Skeleton className="w-8" />
                          </td>
                        ))}
                      </tr>
                    ))}
              </tbody>
            </table>
          </div>
          <ul className="divide-y divide-line sm:hidden" aria-label="Templates by stage">
            {rows
              ? rows.map((row) => (
                  <CompactLine key={row.templateId} row={row} board={board} onOpen={onOpen} />
                ))
              : Array.from({ length: 8 }, (_, index) => (
                  <li key={index} className="grid gap-2 px-4 py-3">
                    <Skeleton className="w-3/5" />
                    <Skeleton className="w-2/5" />
                  </li>
                ))}
          </ul>
        </>
      )}
      {props.footer}
    </div>
  );
}

function BoardHead({ application, board, pairs, selectable, chosen, onToggle, onPromoteAll }: Props) {
  const movable = board?.data.filter((row) => pairs.some((pair) => canMove(row, pair))) ?? [];
  const all = movable.length > 0 && movable.every((row) => chosen.has(row.templateId));
  const some = !all && movable.some((row) => chosen.has(row.templateId));
  return (
    <thead>
      <tr className="border-b border-line bg-canvas align-top">
        <th scope="col" className="w-10 py-2.5 pl-4 text-left">
          {selectable && movable.length > 0 ? (
            <Checkbox
              aria-label="Select all that differ on this page"
              checked={all ? true : some ? "indeterminate" : false}
              onCheckedChange={() => onToggle(movable, !all)}
            />
          ) : (
            <span className="sr-only">Selection</span>
          )}
        </th>
        <th scope="col" className="py-2 pr-3 text-left text-xs font-medium text-ink-muted">
          Template
        </th>
        {board
          ? null
          : application.stages.map((id) => (
              <th key={id} colSpan={2} className="px-3 py-2">
                <span className="sr-only">Stage</span>
                <Skeleton className="mt-1 w-24" />
                <Skeleton className="mt-2 h-3 w-36" />
              </th>
            ))}
        {board?.pipeline.stages.map((stage, index) => {
          const pair = pairs[index - 1];
          const count = board.differences[index - 1] ?? 0;
          const gates = index === 0 ? [] : gateDemands(stage);
          return (
            <Fragment key={stage.environmentId}>
              {pair ? (
                <th scope="col" className="w-24 px-2 py-2 text-center text-xs font-medium text-ink-muted">
                  <span className="tabular" title={`${plural(count, "template")} differ`}>
                    {count === 0 ? "alike" : plural(count, "differs", "differ")}
                  </span>
                </th>
              ) : null}
              <th scope="col" className="min-w-40 px-3 py-2 text-left font-medium last:pr-4">
                <span className="flex items-start justify-between gap-3">
                  <span className="min-w-0">
                    <span className="flex items-center gap-2">
                      <EnvironmentSwatch kind={stage.kind} />
                      <span className="text-sm font-semibold">{stage.name}</span>
                    </span>
                    <span
                      className="mt-0.5 block text-xs font-normal text-ink-muted"
                      title={gates.map((each) => each.demand).join(" ")}
                    >
                      {index === 0
                        ? "Saved versions go live here"
                        : gates.length === 0
                          ? "No gates"
                          : gates.map((each) => gateTitles[each.gate]).join(", ")}
                    </span>
                  </span>
                  {pair && onPromoteAll && count > 0 ? (
                    <Button
                      size="sm"
                      onClick={() => onPromoteAll(pair)}
                      aria-label={`Promote all differences to ${stage.name}`}
                    >
                      Promote all
                    </Button>
                  ) : null}
                </span>
              </th>
            </Fragment>
          );
        })}
      </tr>
    </thead>
  );
}

function BoardLine({
  row,
  board,
  pairs,
  selectable,
  chosen,
  onToggle,
  active,
  onOpen,
}: Omit<Props, "onOpen"> & { row: BoardRow; active: boolean; onOpen: () => void }) {
  const { href } = usePortal();
  const checked = chosen.has(row.templateId);
  const movable = pairs.some((pair) => canMove(row, pair));
  return (
    <tr
      data-row-id={row.templateId}
      aria-selected={active}
      className={cn(
        "h-9 cursor-pointer border-b border-line transition-colors last:border-0 hover:bg-hover",
        (active || checked) && "bg-selected hover:bg-selected",
      )}
      onClick={(event) => {
        const target = event.target as HTMLElement;
        if (window.getSelection()?.toString() || target.closest("a,button,input,label")) return;
        onOpen();
      }}
    >
      <td className="pl-4">
        {selectable ? (
          <Checkbox
            aria-label={`Select ${templateText(row)}`}
            checked={checked}
            disabled={!movable && !checked}
            title={movable ? undefined : "Same in every stage"}
            className="align-middle disabled:opacity-40"
            onCheckedChange={(on) => onToggle([row], on === true)}
          />
        ) : null}
      </td>
      <th scope="row" className="max-w-96 pr-3 text-left font-normal">
        <button type="button" className="flex h-9 max-w-full items-center text-left" onClick={onOpen}>
          <span className="sr-only">{`Open ${templateText(row)}: `}</span>
          <TemplateLabel template={row} />
        </button>
      </th>
      {row.stages.map((stage, index) => {
        const pair = pairs[index - 1];
        const name = board?.pipeline.stages[index]?.name ?? "";
        const differs = row.differs[index - 1] === true;
        const open = pair ? openPromotion(row, pair) : null;
        return (
          <Fragment key={stage.environmentId}>
            {pair ? (
              <td className="px-2 text-center">
                {differs ? (
                  <span className="inline-grid size-5 place-items-center rounded-full bg-warning-soft text-warning-text">
                    <ArrowRight className="size-3.5" aria-hidden />
                    <span className="sr-only">differs</span>
                  </span>
                ) : (
                  <span className="text-ink-faint">
                    <span aria-hidden>=</span>
                    <span className="sr-only">the same</span>
                  </span>
                )}
              </td>
            ) : null}
            <td className="px-3 whitespace-nowrap last:pr-4">
              <span className="inline-flex items-center gap-1.5">
                <VersionChip stage={stage} stale={differs} />
                {open ? (
                  <Link
                    href={href(`/pipeline/promotions/${open}`)}
                    aria-label={`Promotion of ${row.name} to ${name} is in progress`}
                    title="A promotion is in progress"
                    className="inline-flex items-center gap-1 rounded-sm px-1 text-xs text-info-text hover:underline"
                  >
                    <Clock className="size-3.5" aria-hidden /> in progress
                  </Link>
                ) : null}
              </span>
            </td>
          </Fragment>
        );
      })}
    </tr>
  );
}

function CompactLine({
  row,
  board,
  onOpen,
}: {
  row: BoardRow;
  board: Board | undefined;
  onOpen: (row: BoardRow) => void;
}) {
  return (
    <li>
      <button
        type="button"
        className="block w-full px-4 py-3 text-left active:bg-hover"
        onClick={() => onOpen(row)}
      >
        <TemplateLabel template={row} />
        <span className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-muted">
          {row.stages.map((stage, index) => (
            <Fragment key={stage.environmentId}>
              {index > 0 ? (
                <span aria-hidden className="text-ink-faint">
                  →
                </span>
              ) : null}
              <span className="inline-flex items-center gap-1">
                {board?.pipeline.stages[index]?.name}
                <VersionChip stage={stage} stale={row.differs[index - 1] === true} />
                {stage.openPromotionId ? (
                  <>
                    <Clock className="size-3.5 text-info-text" aria-hidden />
                    <span className="sr-only">promotion in progress</span>
                  </>
                ) : null}
              </span>
            </Fragment>
          ))}
        </span>
      </button>
    </li>
  );
}
