"use client";

import { Settings2, Workflow } from "lucide-react";
import { PageFrame } from "../layout/page-frame.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { Select } from "../ui/select.tsx";
import { named } from "../ui/isolated.ts";
import { Board } from "./board.tsx";
import { PipelineHeader } from "./pipeline-header.tsx";
import { UnknownApplication } from "./unknown-application.tsx";
import { useApplication } from "./use-board.ts";

/** What is live in which stage of an application, and the way from one stage to the next. */
export function PipelinePage() {
  const { applications, href } = usePortal();
  const { application, unknown, setApplication } = useApplication();

  return (
    <PageFrame wide>
      <PipelineHeader
        description="The live version of every template in each stage, and what differs."
        application={application?.name ?? null}
        documentTitle={application ? `Pipeline of ${named(application.title)}` : "Pipeline"}
        actions={
          application ? (
            <>
              {applications.length > 1 ? (
                <Select
                  aria-label="Application"
                  className="w-48"
                  value={application.name}
                  onValueChange={setApplication}
                  options={applications.map((each) => ({ value: each.name, label: each.title }))}
                />
              ) : null}
              <Button asChild>
                <Link href={href("/pipeline/settings", { application: application.name })}>
                  <Settings2 aria-hidden /> Stages and gates
                </Link>
              </Button>
            </>
          ) : null
        }
      />
      {application && unknown !== null ? (
        <UnknownApplication name={unknown} shown={application.title} />
      ) : null}
      {application ? (
        <Board key={application.id} application={application} />
      ) : (
        <div className="rounded-lg border border-line bg-surface">
          <NothingYet icon={Workflow} title="No applications yet">
            Each application has its own pipeline. Choose another team, or ask an administrator for access.
          </NothingYet>
        </div>
      )}
    </PageFrame>
  );
}
