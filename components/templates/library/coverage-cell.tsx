"use client";

import { CircleDashed, CircleSlash, CornerDownRight, Plus, Power, Split } from "lucide-react";
import { usePortal } from "../../portal/portal-context.tsx";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { Link } from "../../ui/link.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../ui/popover.tsx";
import { AudienceMarks } from "./audience-marks.tsx";
import { cellKind, type CellKind } from "./cell-kind.ts";
import { newTemplatePath } from "./new-template-path.ts";
import type { Coverage, CoverageCell, CoverageMatrix } from "./types.ts";
import { useMay } from "./use-may.ts";

const short = (template: { region: string | null; language: string | null }) =>
  [template.region, template.language].filter(Boolean).join(" ") || "any";

const inWords = (cell: CoverageCell) =>
  `${cell.region ?? "any other region"}, ${cell.language ?? "any other language"}`;

/** One cell of the matrix: which text is used, and behind it why, and what can be done about it. */
export function CoverageCellView({
  coverage,
  matrix,
  cell,
}: {
  coverage: Coverage;
  matrix: CoverageMatrix;
  cell: CoverageCell;
}) {
  const kind = cellKind(cell);
  const used = coverage.templates.find((each) => each.id === cell.templateId);
  const label = used ? `${short(used)}, version ${used.version ?? ""}` : "nothing";
  return (
    <Popover>
      <PopoverTrigger asChild>
        <button
          type="button"
          aria-label={`${inWords(cell)}: ${kind === "fallback" ? "falls back to " : ""}${label}`}
          className={cn(
            "flex h-9 w-full min-w-24 items-center gap-1.5 rounded-sm px-2 text-left text-sm whitespace-nowrap",
            (kind === "made" || kind === "wide") && "text-ink hover:bg-hover",
            kind === "fallback" && "text-ink-muted hover:bg-hover",
            kind === "missing" && "bg-danger-soft text-danger-text",
          )}
        >
          {kind === "fallback" ? (
            <CornerDownRight className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
          ) : null}
          {kind === "missing" ? <CircleSlash className="size-3.5 shrink-0" aria-hidden /> : null}
          <span className={cn(kind === "made" && "font-medium")}>{used ? short(used) : "nothing"}</span>
          {used ? <span className="text-xs text-ink-muted tabular">v{used.version}</span> : null}
          {cell.unused?.because === "switched_off" ? (
            <Power className="ml-auto size-3.5 shrink-0 text-danger-text" aria-hidden />
          ) : cell.unused ? (
            <CircleDashed className="ml-auto size-3.5 shrink-0 text-warning-text" aria-hidden />
          ) : null}
          {cell.byType ? (
            <Split
              className={cn("size-3.5 shrink-0 text-warning-text", !cell.unused && "ml-auto")}
              aria-hidden
            />
          ) : null}
        </button>
      </PopoverTrigger>
      <PopoverContent className="w-80" aria-label={`Why, for ${inWords(cell)}`}>
        <CellReason coverage={coverage} matrix={matrix} cell={cell} kind={kind} />
      </PopoverContent>
    </Popover>
  );
}

function CellReason({
  coverage,
  matrix,
  cell,
  kind,
}: {
  coverage: Coverage;
  matrix: CoverageMatrix;
  cell: CoverageCell;
  kind: CellKind;
}) {
  const { environments, href } = usePortal();
  const may = useMay();
  const find = (id: string | undefined | null) => coverage.templates.find((each) => each.id === id);
  const environment =
    environments.find((each) => each.id === coverage.environmentId)?.name ?? "this environment";
  const used = find(cell.templateId);
  const better = find(cell.unused?.templateId);
  const exists = coverage.templates.some(
    (each) =>
      each.name === coverage.name &&
      each.channel === matrix.channel &&
      each.region === cell.region &&
      each.language === cell.language &&
      each.provider === matrix.provider,
  );
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-xs text-ink-muted">For {inWords(cell)}</p>
      {used ? (
        <p>
          <Link
            href={href(`/templates/${used.id}`)}
            className="font-medium text-accent-text underline-offset-4 hover:underline"
          >
            {used.name}
          </Link>{" "}
          <span className="tabular">v{used.version}</span> <AudienceMarks audience={used} />
        </p>
      ) : null}
      <p className={cn(kind === "missing" && "text-danger-text")}>{cell.why}</p>
      {better && cell.unused ? (
        <p className="rounded-md bg-warning-soft px-2.5 py-2 text-warning-text">
          <Link href={href(`/templates/${better.id}`)} className="underline underline-offset-4">
            The text for {short(better)}
          </Link>{" "}
          {cell.unused.because === "switched_off"
            ? `is switched off in ${environment}.`
            : `is not live in ${environment} yet.`}
        </p>
      ) : null}
      {cell.byType ? (
        <p className="rounded-md bg-warning-soft px-2.5 py-2 text-warning-text">
          Requests that name the type instead of “{coverage.name}” get{" "}
          <Link href={href(`/templates/${cell.byType.templateId}`)} className="underline underline-offset-4">
            {cell.byType.name}
          </Link>
          .
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {cell.unused?.because === "not_live" && may("promotions:request", coverage.applicationId) ? (
          <Button asChild size="sm">
            <Link href={href("/pipeline", { application: coverage.application })}>Open the pipeline</Link>
          </Button>
        ) : null}
        {!exists && may("templates:write", coverage.applicationId) ? (
          <Button asChild size="sm" variant={kind === "missing" ? "primary" : "secondary"}>
            <Link
              href={href(
                ...newTemplatePath({
                  ...coverage,
                  channel: matrix.channel,
                  region: cell.region,
                  language: cell.language,
                  provider: matrix.provider,
                  from: used?.id ?? coverage.templates.find((each) => each.channel === matrix.channel)?.id,
                }),
              )}
            >
              <Plus aria-hidden /> Create this variant
            </Link>
          </Button>
        ) : null}
      </div>
    </div>
  );
}
