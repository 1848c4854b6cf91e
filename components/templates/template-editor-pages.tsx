"use client";

import { useQuery } from "@tanstack/react-query";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TemplateEditor } from "./template-editor.tsx";

export function NewTemplatePage() {
  const { href } = usePortal();
  return (
    <PageFrame>
      <PageHeader
        title="New template"
        back={{ href: href("/templates"), label: "Templates" }}
        environmentScoped={false}
      />
      <TemplateEditor />
    </PageFrame>
  );
}

export function EditTemplatePage({ id }: { id: string }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  // Not refetched while writing: the version that the text started from decides whether a save is a conflict.
  const query = useQuery(
    trpc.templates.get.queryOptions({ id }, { staleTime: Infinity, refetchOnWindowFocus: false }),
  );
  const template = query.data;
  return (
    <PageFrame>
      <PageHeader
        title={template ? `Edit ${template.name}` : "Edit template"}
        description={template ? `Starts from version ${template.version}` : undefined}
        back={{ href: href(`/templates/${id}`), label: template?.name ?? "Template" }}
        environmentScoped={false}
      />
      {query.isError && !template ? (
        <QueryFailed what="this template" error={query.error} onRetry={() => void query.refetch()} />
      ) : template ? (
        <TemplateEditor key={template.version} template={template} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </PageFrame>
  );
}
