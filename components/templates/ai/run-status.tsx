"use client";

import { Check, LoaderCircle, Plus, RotateCcw, Square, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { errorText } from "../../trpc/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { formatMoney, formatNumber, plural } from "../../ui/format.ts";
import { placeName } from "../places.ts";
import type { Run } from "./use-drafting.ts";

/** What became of a request, and what can be done with it now. */
export function RunStatus({
  run,
  onAccept,
  onDiscard,
  onRetry,
  onDeclare,
  onVariant,
  onUseHere,
}: {
  run: Run;
  onAccept: () => void;
  onDiscard: () => void;
  onRetry: () => void;
  onDeclare: (names: string[]) => void;
  /** Opens a translation as a template of its own; null: there is no template yet that it would be a variant of. */
  onVariant: (() => void) | null;
  onUseHere: () => void;
}) {
  const { end, state } = run;
  const apart = run.request.action === "translate";
  const letters = Array.from(run.text.body).length;
  const discard = (
    <Button size="sm" onClick={onDiscard}>
      <Undo2 aria-hidden /> {apart ? "Discard" : "Discard and restore text"}
    </Button>
  );
  const again = (
    <Button size="sm" variant="ghost" onClick={onRetry}>
      <RotateCcw aria-hidden /> Try again
    </Button>
  );

  return (
    <div
      className={cn(
        "grid grid-cols-1 gap-2.5 rounded-md border border-line px-3 py-3 text-sm",
        state === "refused" && "bg-warning-soft text-warning-text",
        state === "failed" && "bg-danger-soft text-danger-text",
        (state === "writing" || state === "done") && "bg-canvas",
      )}
    >
      <div role="status" className="grid gap-1">
        {state === "writing" ? (
          <p className="flex items-center gap-2">
            <LoaderCircle className="size-4 shrink-0 animate-spin text-accent-text" aria-hidden />
            {run.text.body === "" && run.text.subject === "" ? "Starting" : "Writing"}
          </p>
        ) : state === "done" ? (
          <p className="flex items-center gap-2 font-medium">
            <Check className="size-4 shrink-0 text-success-text" aria-hidden />
            {apart ? `Translated into ${placeName("language", run.request.language ?? "")}` : "Written"}
          </p>
        ) : state === "refused" ? (
          <p>
            <span className="font-medium">It can't be used as it is.</span>{" "}
            {end?.type === "refused" ? end.because : null}
          </p>
        ) : (
          <p>
            {errorText(run.error)} {apart ? "" : <span className="font-medium">Your text is unchanged.</span>}
          </p>
        )}
        {run.restarted !== null && state === "writing" ? (
          <p className="text-xs text-ink-muted">Started again. {run.restarted}</p>
        ) : null}
      </div>
      {state === "writing" && letters > 0 ? (
        <p className="text-xs text-ink-muted tabular" aria-hidden>
          {plural(letters, "character")} so far
        </p>
      ) : null}
      {end?.type === "done" ? (
        <p className="text-xs text-ink-muted tabular">
          {[
            end.segments === null ? null : plural(end.segments, "segment"),
            `${formatNumber(end.inputTokens + end.outputTokens)} tokens`,
            end.cost ? formatMoney(end.cost.amount, end.cost.currency) : null,
          ]
            .filter((part) => part !== null)
            .join(", ")}
        </p>
      ) : null}
      {run.text.body !== "" || run.text.subject !== "" ? (
        // Where the editor is not beside it, this is where one sees what comes.
        <div
          tabIndex={0}
          role="region"
          aria-label={apart ? "Translation" : "Text so far"}
          className={cn(
            "max-h-64 overflow-y-auto rounded-md border border-line bg-surface px-3 py-2 break-words whitespace-pre-wrap text-ink",
            !apart && "lg:hidden",
          )}
        >
          {run.text.subject ? <p className="font-semibold">{run.text.subject}</p> : null}
          {run.text.body}
        </div>
      ) : null}
      <Actions>
        {state === "writing" ? (
          <Button size="sm" onClick={onDiscard}>
            <Square aria-hidden /> Cancel
          </Button>
        ) : state === "failed" ? (
          again
        ) : (
          <>
            {end?.type === "refused" && end.undeclared.length > 0 && !apart ? (
              <Button size="sm" variant="primary" onClick={() => onDeclare(end.undeclared)}>
                <Plus aria-hidden /> Declare {end.undeclared.slice(0, 3).join(", ")}
                {end.undeclared.length > 3 ? ` and ${end.undeclared.length - 3} more` : ""}
              </Button>
            ) : null}
            {apart ? (
              onVariant === null ? (
                <Button size="sm" variant={state === "done" ? "primary" : "secondary"} onClick={onUseHere}>
                  {state === "done" ? "Use here" : "Use here anyway"}
                </Button>
              ) : state === "done" ? (
                <>
                  <Button size="sm" variant="primary" onClick={onVariant}>
                    <Plus aria-hidden /> New {placeName("language", run.request.language ?? "")} variant
                  </Button>
                  <Button size="sm" onClick={onUseHere}>
                    Use here instead
                  </Button>
                </>
              ) : (
                <Button size="sm" onClick={onVariant}>
                  New {placeName("language", run.request.language ?? "")} variant anyway
                </Button>
              )
            ) : (
              <Button size="sm" variant={state === "done" ? "primary" : "secondary"} onClick={onAccept}>
                <Check aria-hidden /> {state === "done" ? "Accept" : "Keep it anyway"}
              </Button>
            )}
            {discard}
            {again}
          </>
        )}
      </Actions>
    </div>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap gap-1.5">{children}</div>;
}
