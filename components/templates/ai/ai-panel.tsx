"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { toast } from "../../ui/toast.ts";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { QueryFailed } from "../../trpc/query-failed.tsx";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { emptyVariable, type Draft } from "../draft.ts";
import { placeName } from "../places.ts";
import { draftKey, readStored, writeStored } from "../workspace/stored-draft.ts";
import { DraftingFacts, DraftingUnavailable } from "./ai-availability.tsx";
import { DraftingForm } from "./drafting-form.tsx";
import { RunStatus } from "./run-status.tsx";
import { useDrafting, writtenBy } from "./use-drafting.ts";

/**
 * Has texts written, rewritten, shortened, translated or put into another tone. The words appear in the draft while they
 * are being written; until they are accepted, the texts before can be put back.
 */
export function AiPanel({
  draft,
  templateId,
  onApply,
  onDeclare,
  onBusyChange,
  className,
}: {
  draft: Draft;
  /** Undefined for a template that is new. */
  templateId: string | undefined;
  /** Replaces members of the draft; called for each piece while a text is being written. */
  onApply: (next: Partial<Draft>) => void;
  /** Declares variables; without it they are added to the draft as texts. */
  onDeclare?: (names: string[]) => void;
  /** Whether a text is being written into the draft: nobody else should write then. */
  onBusyChange?: (busy: boolean) => void;
  className?: string;
}) {
  const { href, tenant, user } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const [replacing, setReplacing] = useState(false);
  const status = useQuery(trpc.ai.status.queryOptions(undefined, { staleTime: 30_000 }));
  const texts = { subject: draft.subject, body: draft.body, provenance: draft.provenance };
  const { run, before, start, discard, accept } = useDrafting({ templateId, texts, onApply });
  const writing = run?.state === "writing";
  const inDraft = writing && run.request.action !== "translate";
  const tellBusy = useEffectEvent((busy: boolean) => onBusyChange?.(busy));
  useEffect(() => {
    if (!inDraft) return;
    tellBusy(true);
    return () => tellBusy(false);
  }, [inDraft]);

  function declare(names: string[]) {
    if (onDeclare) onDeclare(names);
    else {
      const known = new Set(draft.variables.map((variable) => variable.name));
      const added = names.filter((name) => !known.has(name)).map((name) => ({ ...emptyVariable, name }));
      onApply({ variables: [...draft.variables, ...added] });
    }
    toast.success(`Declared ${names.join(", ")}; give them examples among the variables`);
    accept();
  }

  const variantKey = draftKey(tenant.id, user.id, undefined);
  function openVariant() {
    if (!run) return;
    const variant: Draft = {
      ...draft,
      ...run.text,
      language: run.request.language ?? "",
      note: "",
      provenance: writtenBy(run, run.text),
    };
    if (!writeStored(variantKey, { draft: variant, baseVersion: null, at: new Date().toISOString() })) {
      toast.error("This browser doesn't keep drafts, so the translation can't be opened. Copy it manually.");
      return;
    }
    accept();
    router.push(href("/templates/new"));
  }

  if (status.isError && !status.data) {
    return <QueryFailed what="AI" query={status} />;
  }
  if (!status.data) {
    return (
      <div className={cn("grid gap-3", className)} aria-busy>
        <Skeleton className="w-40" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-8 w-24" />
      </div>
    );
  }

  return (
    <section aria-label="Write with AI" className={cn("grid grid-cols-1 gap-4", className)}>
      {status.data.drafting || run ? null : <DraftingUnavailable status={status.data} />}
      {run ? (
        <RunStatus
          run={run}
          onAccept={accept}
          onDiscard={discard}
          onRetry={() => void start(run.request)}
          onDeclare={declare}
          onVariant={
            templateId === undefined
              ? null
              : () => {
                  if (readStored(variantKey)) setReplacing(true);
                  else openVariant();
                }
          }
          onUseHere={() => {
            const was = texts;
            const text =
              draft.channel === "email" ? run.text : { subject: draft.subject, body: run.text.body };
            onApply({ ...text, provenance: writtenBy(run, text) });
            accept();
            toast.success("The translation is in the draft", {
              action: { label: "Undo", onClick: () => onApply(was) },
            });
          }}
        />
      ) : before && before.body !== draft.body ? (
        <div className="grid gap-2.5 rounded-md border border-line bg-info-soft px-3 py-3 text-sm text-info-text">
          <p>AI text, not accepted yet. The previous text was kept.</p>
          <div className="flex flex-wrap gap-1.5">
            <Button size="sm" onClick={accept}>
              Keep AI text
            </Button>
            <Button size="sm" onClick={discard}>
              Restore previous text
            </Button>
          </div>
        </div>
      ) : null}
      {status.data.drafting ? (
        <>
          <DraftingForm
            draft={draft}
            templateId={templateId}
            busy={writing}
            onStart={(request) => void start(request)}
          />
          <DraftingFacts status={status.data} />
        </>
      ) : null}
      <ConfirmDialog
        open={replacing}
        onClose={() => setReplacing(false)}
        title="Replace unsaved template?"
        confirmLabel="Replace"
        onConfirm={() => {
          setReplacing(false);
          openVariant();
        }}
      >
        This browser has an unsaved new template. The {placeName("language", run?.request.language ?? "")}{" "}
        variant would replace it.
      </ConfirmDialog>
    </section>
  );
}
