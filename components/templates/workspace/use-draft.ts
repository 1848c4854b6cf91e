"use client";

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Template } from "../../../server/templates/schemas.ts";
import { usePortalData } from "../../portal/portal-context.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { draftOf, type Draft } from "../draft.ts";
import { draftKey, readStored, sameDraft, writeStored, type StoredDraft } from "./stored-draft.ts";

/** Pause before the device is written to, so that typing a long text stays smooth; milliseconds. */
const pause = 400;

/**
 * What this device kept of a draft until the page opened. The server knows nothing of it, so it is null until the page is taken over;
 * what is written from then on does not change it.
 */
export function useFoundDraft(templateId: string | undefined, copiedFrom?: string): StoredDraft | null {
  const { tenant, user } = usePortalData();
  const hydrated = useHydrated();
  const [found, setFound] = useState<StoredDraft | null>();
  if (!hydrated || found !== undefined) return found ?? null;
  const stored = readStored(draftKey(tenant.id, user.id, templateId, copiedFrom));
  setFound(stored);
  return stored;
}

/**
 * The text that is being written and where it came from: from this device (`found`), where it is kept from the first letter until it
 * is saved or discarded, or else the template's. A new template may start with the text of another one (`copied`), which is as little
 * saved as if it had been typed.
 */
export function useDraft(
  template: Template | undefined,
  found: StoredDraft | null,
  fresh: Draft,
  copied: Draft = fresh,
  copiedFrom?: string,
) {
  const { tenant, user } = usePortalData();
  const key = draftKey(tenant.id, user.id, template?.id, copiedFrom);
  const [start] = useState<Draft>(() => found?.draft ?? (template ? draftOf(template) : copied));
  const [draft, setDraft] = useState(start);
  const [saved, setSaved] = useState<Draft>(() => (template ? draftOf(template) : fresh));
  const [baseVersion, setBaseVersion] = useState(found?.baseVersion ?? template?.latestVersion ?? null);
  const [restored, setRestored] = useState(() => (found && !sameDraft(found.draft, saved) ? found : null));
  const [kept, setKept] = useState(true);
  const dirty = !sameDraft(draft, saved);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });

  const write = useEffectEvent(() => {
    // A draft that was only looked at keeps the time of its writing.
    if (draft === start && dirty) return;
    setKept(writeStored(key, dirty ? { draft, baseVersion, at: new Date().toISOString() } : null));
  });
  useEffect(() => {
    const timer = setTimeout(write, pause);
    return () => clearTimeout(timer);
  }, [draft, saved, baseVersion]);
  useEffect(() => {
    const leave = () => write();
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);

  const change = useCallback(
    (next: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) =>
      setDraft((now) => ({ ...now, ...(typeof next === "function" ? next(now) : next) })),
    [],
  );

  return {
    draft,
    dirty,
    /** The version that the draft was made from; null for a new template. */
    baseVersion,
    /** What was found on this device when the page opened. */
    restored,
    /** False: the device refuses to keep the draft, only saving does. */
    kept,
    /** Stays the same function. */
    change,
    /** Back to what is saved. */
    discard: (to: Template | undefined) => {
      const clean = to ? draftOf(to) : fresh;
      setDraft(clean);
      setSaved(clean);
      setBaseVersion(to?.latestVersion ?? null);
      setRestored(null);
    },
    /** The draft stays, now made from another version. */
    rebase: (to: Template) => {
      setSaved(draftOf(to));
      setBaseVersion(to.latestVersion);
      setRestored(null);
    },
    /** `sent` was saved as `result`; what was written since stays. */
    accept: (result: Template, sent: Draft) => {
      const clean = draftOf(result);
      if (!template && latest.current !== sent) {
        // A new template gets an address of its own, and there what was written during the save is found again.
        const rest = {
          draft: latest.current,
          baseVersion: result.latestVersion,
          at: new Date().toISOString(),
        };
        writeStored(draftKey(tenant.id, user.id, result.id), rest);
      }
      setSaved(clean);
      setBaseVersion(result.latestVersion);
      setDraft((now) =>
        now === sent || !template ? clean : { ...now, note: now.note === sent.note ? "" : now.note },
      );
      setRestored(null);
    },
  };
}
