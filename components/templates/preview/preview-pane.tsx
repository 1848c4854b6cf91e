"use client";

import { CircleAlert, CircleCheck, LoaderCircle, PencilLine, Send } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState, type ReactNode } from "react";
import type { Template } from "../../../server/templates/schemas.ts";
import { RenderedMessage } from "../../messages/rendered-message.tsx";
import { usePortal, usePortalData } from "../../portal/portal-context.tsx";
import { errorText, fieldErrors } from "../../trpc/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeader } from "../../ui/card.tsx";
import { cn } from "../../ui/cn.ts";
import { plural } from "../../ui/format.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { Draft } from "../draft.ts";
import type { QuickFix } from "../workspace/quick-fix.ts";
import { EstimatedCost } from "./estimated-cost.tsx";
import { complaintsOf, ProblemList, type Locate } from "./problem-list.tsx";
import { renderedOf } from "./rendered-of.ts";
import { SampleValues } from "./sample-values.tsx";
import { SmsFacts } from "./sms-facts.tsx";
import { useDraftPreview } from "./use-draft-preview.ts";

const SendTestDialog = dynamic(() =>
  import("../send-test/send-test-dialog.tsx").then((module) => module.SendTestDialog),
);

/**
 * The draft as its recipient would see it, following the writing: frame, what is wrong, how it is billed, and the sample
 * values it is made with. Nothing moves while one types: what can no longer be rendered stays, paler, until it can.
 */
export function PreviewPane({
  draft,
  known,
  unsaved = false,
  onLocate,
  onBodyChange,
  onFix,
  className,
}: {
  draft: Draft;
  /** The stored template, when there is one: sample values are remembered for it. */
  known?: Template | undefined;
  /** The draft has changes that the stored template does not have. */
  unsaved?: boolean;
  /** Asked to show a place in the editor; lines and columns from 1, null for a text as a whole. */
  onLocate?: Locate;
  /** Asked to replace the text by a cheaper spelling of it. */
  onBodyChange?: (body: string) => void;
  /** Asked to end a problem. */
  onFix?: (fix: QuickFix) => void;
  className?: string;
}) {
  const preview = useDraftPreview(draft, known?.id);
  const { canIn } = usePortal();
  const { applications } = usePortalData();
  const [samplesOpen, setSamplesOpen] = useState(false);
  const [testing, setTesting] = useState(false);
  const samples = useRef<HTMLDivElement>(null);
  const complaints = complaintsOf(preview.answer);
  const wrongValues = Object.fromEntries(
    (preview.answer?.valueProblems ?? []).map((problem) => [problem.name, problem.detail]),
  );
  const { shown } = preview;
  const unit = applications.find((each) => each.id === known?.applicationId)?.unitId ?? null;
  const mayTest =
    known?.archivedAt === null && ["templates:write", "notifications:send"].some((each) => canIn(each, unit));

  function showValue(name: string) {
    setSamplesOpen(true);
    // The fields exist only after they were drawn.
    requestAnimationFrame(() => {
      const labels = [...(samples.current?.querySelectorAll("label") ?? [])];
      const label = labels.find((each) => each.textContent === name);
      if (label) document.getElementById(label.htmlFor)?.focus();
    });
  }

  return (
    <Card className={className} aria-busy={preview.updating}>
      <CardHeader
        title="Preview"
        actions={<State preview={preview} problems={complaints.length} />}
        className="min-h-11 items-center"
      />
      <div className="grid grid-cols-1 gap-4 px-4 pb-4">
        {preview.empty ? (
          <Placeholder>
            <PencilLine className="size-5 text-ink-faint" strokeWidth={1.75} aria-hidden />
            Write a text to see its preview.
          </Placeholder>
        ) : shown?.message ? (
          <RenderedMessage message={renderedOf(shown.message)} />
        ) : preview.error ? (
          <Placeholder>
            <span role="alert">The preview couldn't be created. {errorText(preview.error)}</span>
            <Button size="sm" onClick={preview.retry}>
              Try again
            </Button>
          </Placeholder>
        ) : preview.answer ? (
          <Placeholder>No preview: the text can't be rendered.</Placeholder>
        ) : (
          <Skeleton className="mx-auto h-96 w-full max-w-76 rounded-xl" />
        )}
        {preview.error && shown ? (
          <div role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-sm text-danger-text">
            <p>Showing the previous preview. {errorText(preview.error)}</p>
            <ul className="list-inside list-disc">
              {Object.entries(fieldErrors(preview.error)).map(([field, detail]) => (
                <li key={field}>
                  {field}: {detail}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {!preview.empty && complaints.length > 0 ? (
          <ProblemList
            draft={draft}
            complaints={complaints}
            onLocate={onLocate}
            onValue={showValue}
            onFix={onFix}
          />
        ) : null}
        {!preview.empty && shown?.segments ? (
          <SmsFacts
            segments={shown.segments}
            body={preview.shownBody}
            onBodyChange={preview.outdated ? undefined : onBodyChange}
          />
        ) : null}
        {!preview.empty && shown ? <EstimatedCost cost={shown.estimatedCost} /> : null}
        <div ref={samples}>
          <SampleValues
            draft={draft}
            templateId={known?.id}
            problems={wrongValues}
            open={samplesOpen}
            onOpenChange={setSamplesOpen}
          />
        </div>
        {known && mayTest ? (
          <>
            <Button onClick={() => setTesting(true)}>
              <Send aria-hidden /> Send version {known.version} to myself
            </Button>
            {testing ? (
              <SendTestDialog
                template={known}
                unsaved={unsaved}
                open={testing}
                onClose={() => setTesting(false)}
              />
            ) : null}
          </>
        ) : null}
      </div>
    </Card>
  );
}

/** As high as a small frame, so that the first letter does not move the page. */
function Placeholder({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-96 place-content-center justify-items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 text-center text-sm text-balance text-ink-muted">
      {children}
    </div>
  );
}

/** One line that says whether what is shown is what is written. */
function State({ preview, problems }: { preview: ReturnType<typeof useDraftPreview>; problems: number }) {
  const [Icon, text, tone] = preview.empty
    ? [null, "", ""]
    : preview.error
      ? [CircleAlert, "Not up to date", "text-danger-text"]
      : problems > 0
        ? [CircleAlert, plural(problems, "problem"), "text-danger-text"]
        : preview.updating
          ? [LoaderCircle, "Following", "text-ink-muted"]
          : [CircleCheck, "Up to date", "text-success-text"];
  return (
    <p role="status" className={cn("inline-flex items-center gap-1.5 text-xs", tone)}>
      {Icon ? <Icon className={cn("size-3.5", Icon === LoaderCircle && "animate-spin")} aria-hidden /> : null}
      {text}
    </p>
  );
}
