"use client";

import { toast } from "sonner";
import type { Template } from "../../../server/templates/schemas.ts";
import { draftOf, type Draft } from "../draft.ts";

type Content = Pick<Draft, "subject" | "body" | "metadata" | "variables">;

function contentPart({ subject, body, metadata, variables }: Content): Content {
  return { subject, body, metadata, variables };
}

/** Puts a stored version's content into a draft, with the way back in a toast. The note and the audience stay. */
export function restoreVersion(
  version: Template,
  draft: Draft,
  change: (next: Partial<Draft>) => void,
): void {
  const before = contentPart(draft);
  change(contentPart(draftOf(version)));
  toast.success(`Version ${version.version} is in the draft; save it to make it the latest`, {
    action: { label: "Undo", onClick: () => change(before) },
    duration: 12_000,
  });
}
