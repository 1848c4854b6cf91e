"use client";

import { useQuery } from "@tanstack/react-query";
import { FileStack } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ExportCard } from "./export-card.tsx";
import { ImportCard } from "./import-card.tsx";
import { ImportPlanView } from "./import-plan.tsx";

const stateWords = {
  planned: "not started",
  running: "in progress",
  finished: "finished",
  canceled: "stopped",
} as const;

/** Templates as files: out to a zip, and in from a zip or a folder. */
export function TemplateFilesPage() {
  const { applications, href, canIn } = usePortal();
  const trpc = useTRPC();
  const [chosen, choose] = useQueryState("application", parseAsString);
  const [importId, showImport] = useQueryState("import", parseAsString.withOptions({ history: "push" }));
  const recent = useQuery(trpc.templateFiles.imports.queryOptions());
  const application = applications.find((each) => each.name === chosen) ?? applications[0];
  const mayImport =
    application !== undefined &&
    (canIn("templates:write", application.unitId) || canIn("templates:write", null));

  return (
    <PageFrame>
      <PageHeader
        title="Templates as files"
        description="Keep templates in version control, move them between applications, or edit many at once."
        back={{ href: href("/templates"), label: "Templates" }}
        environmentScoped={false}
      />
      {!application ? (
        <Card>
          <NothingYet icon={FileStack} title="No applications yet">
            Create an application to export and import its templates.
          </NothingYet>
        </Card>
      ) : (
        <div className="grid gap-4">
          {applications.length > 1 ? (
            <Field label="Application" className="max-w-xs">
              {(control) => (
                <Select
                  {...control}
                  value={application.name}
                  onValueChange={(value) => void choose(value)}
                  options={applications.map((each) => ({ value: each.name, label: each.title }))}
                />
              )}
            </Field>
          ) : null}
          {importId ? (
            <ImportPlanView key={importId} id={importId} onClose={() => void showImport(null)} />
          ) : null}
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <ExportCard key={application.name} application={application.name} />
            {mayImport ? (
              <ImportCard application={application.name} onPlanned={(plan) => void showImport(plan.id)} />
            ) : null}
          </div>
          <Card>
            <CardHeader title="Recent imports" />
            {recent.isError && !recent.data ? (
              <QueryFailed what="imports" query={recent} />
            ) : recent.data?.data.length === 0 ? (
              <p className="px-4 pb-4 text-sm text-ink-muted">No imports yet.</p>
            ) : (
              <ul className="divide-y divide-line border-t border-line">
                {(recent.data?.data ?? []).map((each) => (
                  <li key={each.id}>
                    <button
                      type="button"
                      onClick={() => void showImport(each.id)}
                      className="flex w-full flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5 text-left text-sm hover:bg-hover"
                    >
                      <span>
                        {each.application}: {stateWords[each.state]}
                        <span className="text-ink-muted">
                          {each.state === "planned"
                            ? ` · ${String(each.counts.create + each.counts.update)} changes`
                            : ` · ${String(each.counts.done)} saved, ${String(each.counts.failed)} failed`}
                        </span>
                      </span>
                      <span className="text-xs text-ink-muted">
                        {each.by}, <RelativeTime value={each.createdAt} />
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </div>
      )}
    </PageFrame>
  );
}
