"use client";

import { useEffect, useRef, useState } from "react";
import type { DraftEvent, DraftRequest } from "../../../server/drafting/schemas.ts";
import type { DraftProvenance } from "../draft.ts";
import { useRemembered } from "../../data-table/use-remembered.ts";
import { usePortalData } from "../../portal/portal-context.tsx";
import { useTRPCClient } from "../../trpc/client.tsx";
import { useRefresh } from "../../trpc/use-refresh.ts";

/** The texts that a draft is written into. */
export type Texts = { subject: string; body: string };
/** Texts in a draft, and who wrote them. */
type WrittenTexts = Texts & { provenance: DraftProvenance | null };
type Finished = Extract<DraftEvent, { type: "done" | "refused" }>;

export type Run = {
  request: DraftRequest;
  state: "writing" | "done" | "refused" | "failed";
  /** What has come so far. */
  text: Texts;
  /** Why it was begun once more; null when it was not. */
  restarted: string | null;
  end: Finished | null;
  error: unknown;
};

/** What a draft says of a text of AI: what it wrote anew, and what it changed. */
export function writtenBy({ request, end }: Pick<Run, "request" | "end">, texts: Texts): DraftProvenance {
  return {
    ...texts,
    kind: request.action === "draft" ? "ai_drafted" : "ai_edited",
    model: end?.type === "done" ? end.model : null,
  };
}

/**
 * Has a text written, piece by piece. The texts before are kept on this device until the new one is accepted or
 * discarded, so that neither a reload nor a broken connection loses them. Translations go to a variant of their own and
 * leave the draft alone.
 */
export function useDrafting({
  templateId,
  texts,
  onApply,
}: {
  templateId: string | undefined;
  texts: WrittenTexts;
  onApply: (texts: WrittenTexts) => void;
}) {
  const client = useTRPCClient();
  const refresh = useRefresh("ai");
  const { tenant, user } = usePortalData();
  const [before, keepBefore] = useRemembered<WrittenTexts | null>(
    `text-before:${tenant.id}:${user.id}:${templateId ?? "new"}`,
    null,
  );
  const [run, setRun] = useState<Run | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  // The writing outlives many renders, each with another draft to change.
  const latestApply = useRef(onApply);
  useEffect(() => {
    latestApply.current = onApply;
  });

  const inPlace = (request: DraftRequest) => request.action !== "translate";

  async function start(request: DraftRequest) {
    controller.current?.abort();
    const abort = new AbortController();
    controller.current = abort;
    // A second try starts from what was there before the first.
    const kept = before ?? texts;
    if (inPlace(request)) keepBefore(kept);
    let now: Run = {
      request,
      state: "writing",
      text: { subject: "", body: "" },
      restarted: null,
      end: null,
      error: null,
    };
    const show = (next: Partial<Run>) => {
      if (abort.signal.aborted) return;
      now = { ...now, ...next };
      setRun(now);
    };
    // Pieces come faster than a screen is drawn.
    let frame = 0;
    const apply = () => {
      frame = 0;
      if (abort.signal.aborted) return;
      setRun(now);
      if (!inPlace(request)) return;
      const written = { subject: now.text.subject || kept.subject, body: now.text.body };
      latestApply.current({ ...written, provenance: writtenBy(now, written) });
    };
    show({});
    try {
      const events = await client.drafting.write.mutate(request, { signal: abort.signal });
      for await (const event of events) {
        if (abort.signal.aborted) return;
        if (event.type === "delta") {
          now = { ...now, text: { ...now.text, [event.field]: now.text[event.field] + event.text } };
          if (frame === 0) frame = requestAnimationFrame(apply);
        } else if (event.type === "restart") {
          now = { ...now, text: { subject: "", body: "" }, restarted: event.because };
          apply();
        } else {
          cancelAnimationFrame(frame);
          const text = { subject: event.subject ?? "", body: event.body };
          now = { ...now, text, state: event.type, end: event };
          apply();
        }
      }
      if (now.state === "writing") throw new Error("the answer ended early");
    } catch (error) {
      cancelAnimationFrame(frame);
      if (abort.signal.aborted) return;
      if (inPlace(request)) {
        latestApply.current(kept);
        keepBefore(null);
      }
      show({ state: "failed", error });
    } finally {
      if (!abort.signal.aborted) {
        // What is left of the month's budget has changed.
        void refresh();
      }
    }
  }

  return {
    run,
    /** The texts as they were, as long as nobody has decided about the new ones. */
    before,
    start,
    /** Stops the writing, puts the texts back. */
    discard: () => {
      controller.current?.abort();
      // What an earlier release kept says nothing of who wrote it.
      if (before && (!run || inPlace(run.request))) {
        onApply({ ...before, provenance: (before as Partial<WrittenTexts>).provenance ?? null });
      }
      keepBefore(null);
      setRun(null);
    },
    /** The new text stays. */
    accept: () => {
      keepBefore(null);
      setRun(null);
    },
  };
}
