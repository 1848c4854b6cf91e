"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import { useTRPC } from "../../trpc/client.tsx";
import { plural } from "../../ui/format.ts";
import { contentOf, type Draft } from "../draft.ts";
import type { Judged } from "./use-complaints.ts";
import { refusalOf } from "./save-outcome.ts";
import type { Tried } from "./use-save.ts";
import { audienceOf } from "./validate-draft.ts";

/** Asks moderation what it would say to a save, without saving. */
export function useCheck(onJudged: (judged: Judged) => void, onTried: (tried: Tried | null) => void) {
  const trpc = useTRPC();
  const mutation = useMutation(trpc.moderation.check.mutationOptions());
  async function check(draft: Draft) {
    const { application, channel, notificationType, language } = audienceOf(draft);
    try {
      const result = await mutation.mutateAsync({
        application,
        channel,
        notificationType,
        language,
        ...contentOf(draft),
      });
      onTried(null);
      onJudged({ findings: result.findings, draft });
      const description = result.checkedBy.some((by) => by !== "deterministic")
        ? "Checked by rules and by AI"
        : "Checked by built-in rules only";
      const blocking = result.findings.filter((finding) => finding.severity === "block").length;
      if (blocking > 0) toast.error(`It can't be saved: ${plural(blocking, "finding")}`, { description });
      else if (result.findings.length > 0)
        toast.warning(`It can be saved: ${plural(result.findings.length, "hint")}`, { description });
      else toast.success("No findings", { description });
    } catch (error) {
      onTried({ what: "check", refusal: refusalOf(error), draft });
    }
  }
  return { check: (draft: Draft) => void check(draft), pending: mutation.isPending };
}
