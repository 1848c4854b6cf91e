"use client";

import { useQuery } from "@tanstack/react-query";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { named } from "../ui/isolated.ts";
import { Workflow } from "lucide-react";
import { ProposalCard } from "./proposal-card.tsx";
import { StageComposer } from "./stage-composer.tsx";
import { UnknownApplication } from "./unknown-application.tsx";
import { useApplication } from "./use-board.ts";

/** Of which environments an application's pipeline is made, in which order, and what each stage asks for. */
export function PipelineSettingsPage() {
  const { applications, canIn, href } = usePortal();
  const { application, unknown, setApplication } = useApplication();
  const trpc = useTRPC();
  const query = useQuery(trpc.pipelines.list.queryOptions());
  const pipeline = query.data?.data.find((each) => each.applicationId === application?.id);

  return (
    <PageFrame className="max-w-4xl">
      <PageHeader
        title="Stages and gates"
        documentTitle={application ? `Stages of ${named(application.title)}` : "Stages and gates"}
        description="The environments a template passes on its way to recipients, and the gates of each."
        environmentScoped={false}
        back={{ href: href("/pipeline", { application: application?.name }), label: "Pipeline" }}
        actions={
          applications.length > 1 && application ? (
            <Select
              aria-label="Application"
              className="w-48"
              value={application.name}
              onValueChange={setApplication}
              options={applications.map((each) => ({ value: each.name, label: each.title }))}
            />
          ) : null
        }
      />
      {application && unknown !== null ? (
        <UnknownApplication name={unknown} shown={application.title} />
      ) : null}
      {query.isError && !query.data ? (
        <Card>
          <QueryFailed what="the pipeline" query={query} />
        </Card>
      ) : query.isPending ? (
        <div className="grid gap-3" aria-busy>
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-44 w-full" />
          <Skeleton className="h-44 w-full" />
        </div>
      ) : pipeline ? (
        <>
          {pipeline.proposal ? <ProposalCard pipeline={pipeline} proposal={pipeline.proposal} /> : null}
          <StageComposer
            key={pipeline.applicationId}
            pipeline={pipeline}
            editable={canIn("pipelines:manage", pipeline.unitId)}
          />
        </>
      ) : (
        <Card>
          <NothingYet icon={Workflow} title="No pipeline to show">
            You don't have access to an application here.
          </NothingYet>
        </Card>
      )}
    </PageFrame>
  );
}
