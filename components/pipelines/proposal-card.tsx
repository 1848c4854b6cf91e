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
    onError: async (error: unknown) => {
      toast.error(errorText(error));
      // Somebody else may have decided, or proposed another change.
      await refresh();
    },
  });
  const confirm = useMutation(
    trpc.pipelines.confirm.mutationOptions(decided(`Pipeline of ${pipeline.title} changed`)),
  );
  const withdraw = useMutation(trpc.pipelines.withdraw.mutationOptions(decided("Change discarded")));
  const input = { application: pipeline.application, id: proposal.id };
  const pending = confirm.isPending || withdraw.isPending;

  return (
    <Card aria-label="Pending change" className="mb-4">
      <CardHeader
        title="A change needs a second person"
        description={
          <>
            {proposal.requestedBy} proposed it <RelativeTime value={proposal.requestedAt} />.{" "}
            {proposal.may.confirm
              ? "It loosens the gates below. Confirm it if you agree."
              : "It loosens the gates below, so another person who can change pipelines has to confirm it."}
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
          New stages: {proposal.stages.map((stage) => stage.environment).join(" → ")}
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
              Discard
            </Button>
          ) : null}
        </div>
      </div>
    </Card>
  );
}
