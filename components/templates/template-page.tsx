"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Pencil, Send } from "lucide-react";
import Link from "next/link";
import { parseAsInteger, useQueryState } from "nuqs";
import type { Template } from "../../server/templates/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelIcon, channelLabel } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { audienceText } from "./audience.ts";
import { Deployments } from "./deployments.tsx";
import { HistoryPanel } from "./history/history-panel.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { VariableTable } from "./variable-table.tsx";

export function TemplatePage({ id }: { id: string }) {
  const { can, environment, href } = usePortal();
  const trpc = useTRPC();
  const [version, setVersion] = useQueryState("version", parseAsInteger.withOptions({ history: "push" }));
  const query = useQuery(
    trpc.templates.get.queryOptions(
      { id, version: version ?? undefined },
      { placeholderData: keepPreviousData },
    ),
  );
  const template = query.data;
  const back = { href: href("/templates"), label: "Templates" };

  if (query.isError && !template) {
    return (
      <PageFrame>
        <PageHeader title="Template" back={back} environmentScoped={false} />
        <QueryFailed what="this template" error={query.error} onRetry={() => void query.refetch()} />
      </PageFrame>
    );
  }
  const live = template?.deployments.find((each) => each.environmentId === environment.id);

  return (
    <PageFrame>
      <PageHeader
        back={back}
        environmentScoped={false}
        documentTitle={template ? `Template ${template.name}` : "Template"}
        title={
          template ? (
            <span className="flex items-center gap-2.5">
              <ChannelIcon channel={template.channel} className="size-5" />
              {template.name}
            </span>
          ) : (
            <Skeleton className="h-7 w-60" />
          )
        }
        description={
          template
            ? `${channelLabel(template.channel)} of ${template.application} for ${template.notificationType} / ${template.notificationSubtype}, for ${audienceText(template)}`
            : undefined
        }
        actions={
          template ? (
            <>
              {can("templates:write") && template.archivedAt === null ? (
                <Button asChild>
                  <Link href={href(`/templates/${template.id}/edit`)}>
                    <Pencil aria-hidden /> Edit
                  </Link>
                </Button>
              ) : null}
              {live && !live.disabled && can("notifications:send") ? (
                <Button asChild variant="primary">
                  <Link href={href("/send", { application: template.application, template: template.id })}>
                    <Send aria-hidden /> Send with it
                  </Link>
                </Button>
              ) : null}
            </>
          ) : null
        }
      />
      {template ? (
        <div
          className={cn(
            "grid grid-cols-1 items-start gap-4 transition-opacity lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]",
            query.isPlaceholderData && "opacity-60",
          )}
        >
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <Card>
              <CardHeader
                title={`Version ${template.version}`}
                description={
                  template.note ?? (template.version === template.latestVersion ? "The latest" : undefined)
                }
              />
              <div className="grid grid-cols-1 gap-3 px-4 pb-4">
                {template.subject === null ? null : (
                  <div>
                    <h3 className="mb-1 text-xs text-ink-muted">Subject</h3>
                    <CodeBlock label="Subject" code={template.subject} />
                  </div>
                )}
                <div>
                  <h3 className="mb-1 text-xs text-ink-muted">Body</h3>
                  <CodeBlock label="Body" code={template.body} />
                </div>
                {Object.keys(template.metadata).length > 0 ? (
                  <div>
                    <h3 className="mb-1 text-xs text-ink-muted">Of the channel</h3>
                    <CodeBlock label="Channel settings" code={JSON.stringify(template.metadata, null, 2)} />
                  </div>
                ) : null}
              </div>
            </Card>
            <VariableTable variables={template.variables} />
            <TemplatePreview templateId={template.id} version={template.version} body={template.body} />
          </div>
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <Deployments template={template} />
            <Card>
              <CardHeader title="History" />
              <HistoryPanel
                templateId={template.id}
                current={template.version}
                onOpen={(next) => void setVersion(next === template.latestVersion ? null : next)}
                className="max-h-[36rem] overflow-y-auto border-t border-line"
              />
            </Card>
            <Moderation template={template} />
          </div>
        </div>
      ) : (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]" aria-busy>
          <Card className="grid gap-3 p-4">
            <Skeleton className="w-24" />
            <Skeleton className="h-40 w-full" />
          </Card>
          <Card className="grid gap-3 p-4">
            <Skeleton className="w-24" />
            <Skeleton className="w-full" />
            <Skeleton className="w-2/3" />
          </Card>
        </div>
      )}
    </PageFrame>
  );
}

function Moderation({ template }: { template: Template }) {
  // Versions from before a check existed carry no result of it.
  const stored: Partial<Template["moderation"]> = template.moderation;
  const moderation = { checkedBy: stored.checkedBy ?? [], findings: stored.findings ?? [] };
  return (
    <Card>
      <CardHeader title="Moderation" />
      <div className="px-4 pb-4">
        <Facts
          items={[
            { label: "Checked by", value: moderation.checkedBy.join(", ") || "nothing" },
            {
              label: "Findings",
              value:
                moderation.findings.length === 0 ? (
                  "None"
                ) : (
                  <ul className="grid gap-2">
                    {moderation.findings.map((finding, index) => (
                      <li key={index}>
                        <Badge tone={finding.severity === "block" ? "danger" : "warning"}>
                          {finding.severity === "block" ? "Blocks" : "Warns"}
                        </Badge>{" "}
                        {finding.explanation}
                      </li>
                    ))}
                  </ul>
                ),
            },
            {
              label: "Template ID",
              value: <CopyableId value={template.id} label="Copy template ID" short />,
            },
          ]}
        />
      </div>
    </Card>
  );
}
