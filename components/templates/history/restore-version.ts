"use client";

import { toast } from "../../ui/toast.ts";
import type { Template } from "../../../server/templates/schemas.ts";
import { draftOf, type Draft } from "../draft.ts";

type Content = Pick<Draft, "subject" | "body" | "metadata" | "variables" | "provenance">;

function contentPart({ subject, body, metadata, variables, provenance }: Content): Content {
  return { subject, body, metadata, variables, provenance };
}

/** Puts a stored version's content into a draft, with the way back in a toast. The note and the audience stay. */
export function restoreVersion(
  version: Template,
  draft: Draft,
  change: (next: Partial<Draft>) => void,
): void {
  const before = contentPart(draft);
  const { subject, body, ...rest } = contentPart(draftOf(version));
  const { kind, model } = version.provenance;
  const provenance = kind === "human" ? null : { kind, model, subject, body };
  change({ ...rest, subject, body, provenance });
  toast.success(`Version ${version.version} is in the draft; save it to make it the latest`, {
    action: { label: "Undo", onClick: () => change(before) },
    duration: 12_000,
  });
}
