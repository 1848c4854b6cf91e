"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../../ui/toast.ts";
import type { Template } from "../../../server/templates/schemas.ts";
import { useTRPC } from "../../trpc/client.tsx";
import { useRefresh } from "../../trpc/use-refresh.ts";
import { contentOf, provenanceOf, type Draft } from "../draft.ts";
import { fasterSave, refusalOf, type Refusal } from "./save-outcome.ts";
import { audienceOf } from "./validate-draft.ts";

/** Why the last try failed, and the draft that was tried. */
export type Tried = { what: "save" | "check"; refusal: Refusal; draft: Draft };

/**
 * Saves the draft as a new template or as the next version. Whatever goes wrong, the draft is not touched: `tried` says
 * what happened, and after a conflict `theirs` is what somebody else saved.
 */
export function useSave(template: Template | undefined, onSaved: (result: Template, sent: Draft) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh("templates", "pipelines");
  const [tried, setTried] = useState<Tried | null>(null);
  const [theirs, setTheirs] = useState<Template | null>(null);
  const create = useMutation(trpc.templates.create.mutationOptions());
  const update = useMutation(trpc.templates.update.mutationOptions());

  async function save(draft: Draft, expectedVersion: number | null) {
    const content = {
      ...contentOf(draft),
      provenance: provenanceOf(draft),
      note: draft.note.trim() === "" ? null : draft.note.trim(),
    };
    try {
      const result =
        template && expectedVersion !== null
          ? await update.mutateAsync({ id: template.id, expectedVersion, ...content })
          : await create.mutateAsync({ ...audienceOf(draft), ...content });
      setTried(null);
      setTheirs(null);
      toast.success(
        template
          ? `Version ${result.latestVersion} of ${result.name} saved`
          : `Template ${result.name} created`,
      );
      onSaved(result, draft);
      await refresh();
    } catch (error) {
      const refusal = refusalOf(error);
      setTried({ what: "save", refusal, draft });
      if (refusal.kind === "conflict" && template) {
        await queryClient.query(trpc.templates.get.queryOptions({ id: template.id }, { staleTime: 0 })).then(
          (now) => setTheirs(fasterSave(now, expectedVersion)),
          () => undefined,
        );
      }
    }
  }

  return {
    save: (draft: Draft, expectedVersion: number | null) => void save(draft, expectedVersion),
    pending: create.isPending || update.isPending,
    tried,
    setTried,
    theirs,
    setTheirs,
  };
}
