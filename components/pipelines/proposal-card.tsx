"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { toast } from "../ui/toast.ts";
import type { Pipeline, PipelineProposal } from "../../server/pipelines/schemas.ts";
import { useReadNotices } from "../notices/notices.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** A change that loosens the pipeline: what is looser in it, and what the reader may do with it. */
export function ProposalCard({ pipeline, proposal }: { pipeline: Pipeline; proposal: PipelineProposal }) {
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useRefresh("pipelines");
  useReadNotices(pipeline.applicationId);
  const decided = (said: string) => ({
    onSuccess: async () => {
      toast.success(said);
      await refresh();
      router.refresh();
    },
    onError: (error: unknown) => void toast.error(errorText(error)),
  });
  const confirm = useMutation(
    trpc.pipelines.confirm.mutationOptions(decided(`Pipeline of ${pipeline.title} changed`)),
  );
  const withdraw = useMutation(trpc.pipelines.withdraw.mutationOptions(decided("The change was dropped")));
  const input = { application: pipeline.application, id: proposal.id };
  const pending = confirm.isPending || withdraw.isPending;

  return (
    <Card aria-label="A change that waits" className="mb-4">
      <CardHeader
        title="A change waits for a second person"
        description={
          <>
            {proposal.requestedBy} proposed it <RelativeTime value={proposal.requestedAt} />.{" "}
            {proposal.may.confirm
              ? "It asks for less than the stages below; confirm it if you agree."
              : "It asks for less than the stages below, so another person who may change pipelines has to confirm it."}
          </>
        }
      />
      <div className="grid gap-3 px-4 pb-4">
        <ul className="list-disc pl-5 text-sm">
          {proposal.loosens.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="text-sm text-ink-muted">
          The stages then: {proposal.stages.map((stage) => stage.environment).join(" → ")}
        </p>
        <div className="flex flex-wrap gap-2">
          {proposal.may.confirm ? (
            <Button
              variant="primary"
              disabled={pending}
              pending={confirm.isPending}
              onClick={() => confirm.mutate(input)}
            >
              Confirm
            </Button>
          ) : null}
          {proposal.may.withdraw ? (
            <Button disabled={pending} pending={withdraw.isPending} onClick={() => withdraw.mutate(input)}>
              Drop it
            </Button>
          ) : null}
        </div>
      </div>
    </Card>
  );
}
