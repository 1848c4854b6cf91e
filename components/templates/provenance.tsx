"use client";

import { useMutation } from "@tanstack/react-query";
import { Sparkles, UserCheck } from "lucide-react";
import { toast } from "../ui/toast.ts";
import type { Template } from "../../server/templates/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useMay } from "./library/use-may.ts";

type Written = Pick<Template["versions"][number], "provenance" | "review">;

const kinds: Record<Template["provenance"]["kind"], string> = {
  human: "Written by people",
  ai_drafted: "Drafted by AI",
  ai_edited: "Edited with AI",
};

/** That AI had a part in a version, and whether a person has reviewed it; nothing for what people wrote. */
export function ProvenanceBadges({ provenance, review }: Written) {
  if (provenance.kind === "human") return null;
  return (
    <>
      <Badge tone="info" title={provenance.model ?? undefined}>
        <Sparkles aria-hidden /> {kinds[provenance.kind]}
      </Badge>
      {review ? (
        <Badge tone="success">
          <UserCheck aria-hidden /> Reviewed by {review.by}
        </Badge>
      ) : null}
    </>
  );
}

/** Who wrote the version that is shown; what AI wrote can be marked as reviewed here. */
export function ProvenanceCard({ template }: { template: Template }) {
  const may = useMay();
  const trpc = useTRPC();
  const refresh = useRefresh("templates", "pipelines");
  const review = useMutation(
    trpc.templates.review.mutationOptions({
      onSuccess: async () => {
        toast.success(`Version ${template.version} is reviewed`);
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const { provenance } = template;
  if (provenance.kind === "human") return null;
  const own = !template.may.review && may("promotions:approve", template.applicationId);
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            <Sparkles className="size-4 text-ink-faint" aria-hidden /> {kinds[provenance.kind]}
          </span>
        }
        description={
          provenance.kind === "ai_drafted"
            ? `${provenance.model ?? "A model"} wrote this version.`
            : `${provenance.model ?? "A model"} and people wrote this version.`
        }
      />
      <div className="grid justify-items-start gap-2.5 px-4 pb-4 text-sm">
        {template.review ? (
          <p>
            Reviewed by {template.review.by} <RelativeTime value={template.review.at} />.
          </p>
        ) : (
          <>
            <p className="text-ink-muted">
              {own
                ? "Not reviewed yet. You saved it, or a key of yours did, so another approver has to review it."
                : "Not reviewed yet. Stages that require a review wait for it."}
            </p>
            {template.may.review ? (
              <Button
                size="sm"
                pending={review.isPending}
                onClick={() => review.mutate({ id: template.id, version: template.version })}
              >
                <UserCheck aria-hidden /> Mark as reviewed
              </Button>
            ) : null}
          </>
        )}
      </div>
    </Card>
  );
}
