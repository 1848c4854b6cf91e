"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Archive, ArchiveRestore, FlaskConical, Pencil, PowerOff, Send } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsInteger, useQueryState } from "nuqs";
import { useState, type ReactNode } from "react";
import type { Template } from "../../server/templates/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { ChannelIcon, channelLabel } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { CopyableId } from "../ui/copy-button.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { Deployments } from "./deployments.tsx";
import { HistoryPanel } from "./history/history-panel.tsx";
import { AudienceMarks } from "./library/audience-marks.tsx";
import { groupPath } from "./library/group-path.ts";
import { TemplateMenu, type TemplateAction } from "./library/template-menu.tsx";
import { useMay } from "./library/use-may.ts";
import { useTemplateActions } from "./library/use-template-actions.tsx";
import { ModerationCard } from "./moderation-card.tsx";
import { ProvenanceCard } from "./provenance.tsx";
import { TemplateContent } from "./template-content.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { VariableTable } from "./variable-table.tsx";
import { WhatsappApproval } from "./whatsapp-approval.tsx";

const SendTestDialog = dynamic(() =>
  import("./send-test/send-test-dialog.tsx").then((module) => module.SendTestDialog),
);

/** One template: its texts, how they look, what they need, where they are live, and how they came to be. */
export function TemplatePage({ id }: { id: string }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const { act, dialogs } = useTemplateActions();
  const [version, setVersion] = useQueryState("version", parseAsInteger.withOptions({ history: "push" }));
  const query = useQuery(
    trpc.templates.get.queryOptions(
      { id, version: version ?? undefined },
      { placeholderData: keepPreviousData },
    ),
  );
  const template = query.data;

  if (query.isError && !template) {
    return (
      <PageFrame>
        <PageHeader
          title="Template"
          back={{ href: href("/templates"), label: "Templates" }}
          environmentScoped={false}
        />
        <QueryFailed what="this template" query={query} />
      </PageFrame>
    );
  }

  return (
    <PageFrame>
      <PageHeader
        back={
          template?.archivedAt === null
            ? { href: href(groupPath(template)), label: `All texts of ${template.name}` }
            : { href: href("/templates"), label: "Templates" }
        }
        environmentScoped={false}
        documentTitle={template ? `Template ${template.name}` : "Template"}
        title={
          template ? (
            <span className="flex flex-wrap items-center gap-2.5">
              <ChannelIcon channel={template.channel} className="size-5" />
              {template.name}
              <span className="text-sm font-normal tracking-normal">
                <AudienceMarks audience={template} />
              </span>
            </span>
          ) : (
            <Skeleton className="h-7 w-60" />
          )
        }
        description={
          template
            ? `${channelLabel(template.channel)} of ${template.application} for ${template.notificationType} / ${template.notificationSubtype}`
            : undefined
        }
        actions={template ? <Actions template={template} act={act} /> : null}
      />
      {template ? (
        <>
          <Banners template={template} act={act} />
          <div
            className={cn(
              "grid grid-cols-1 items-start gap-4 transition-opacity lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]",
              query.isPlaceholderData && "opacity-60",
            )}
          >
            <div className="grid min-w-0 grid-cols-1 gap-4">
              <TemplateContent template={template} />
              <TemplatePreview templateId={template.id} version={template.version} body={template.body} />
              <VariableTable variables={template.variables} />
            </div>
            <div className="grid min-w-0 grid-cols-1 gap-4">
              <Deployments template={template} />
              <WhatsappApproval template={template} />
              <ProvenanceCard template={template} />
              <ModerationCard template={template} />
              <Card>
                <CardHeader
                  title="History"
                  actions={<CopyableId value={template.id} label="Copy template ID" short />}
                />
                <HistoryPanel
                  templateId={template.id}
                  current={template.version}
                  onOpen={(next) => void setVersion(next === template.latestVersion ? null : next)}
                  className="max-h-[36rem] overflow-y-auto border-t border-line"
                />
              </Card>
            </div>
          </div>
        </>
      ) : (
        <Loading />
      )}
      {dialogs}
    </PageFrame>
  );
}

function Actions({ template, act }: { template: Template; act: TemplateAction }) {
  const { environment, href } = usePortal();
  const may = useMay();
  const [testing, setTesting] = useState(false);
  const live = template.deployments.find((each) => each.environmentId === environment.id);
  return (
    <>
      {template.archivedAt === null && may("notifications:send", template.applicationId) ? (
        <>
          <Button onClick={() => setTesting(true)}>
            <FlaskConical aria-hidden /> Send to myself
          </Button>
          {testing ? (
            <SendTestDialog
              template={template}
              unsaved={false}
              open={testing}
              onClose={() => setTesting(false)}
            />
          ) : null}
        </>
      ) : null}
      {live &&
      !live.disabled &&
      template.archivedAt === null &&
      may("notifications:send", template.applicationId) ? (
        <Button asChild>
          <Link href={href("/send", { application: template.application, template: template.id })}>
            <Send aria-hidden /> Send with it
          </Link>
        </Button>
      ) : null}
      {may("templates:write", template.applicationId) && template.archivedAt === null ? (
        <Button asChild variant="primary">
          <Link href={href(`/templates/${template.id}/edit`)}>
            <Pencil aria-hidden /> Edit
          </Link>
        </Button>
      ) : null}
      <TemplateMenu template={template} onAction={act} withEdit={false} />
    </>
  );
}

/** What must not be overlooked: that it is not in use, or is switched off somewhere. */
function Banners({ template, act }: { template: Template; act: TemplateAction }) {
  const { environments } = usePortal();
  const may = useMay();
  const off = template.deployments.filter((each) => each.disabled);
  if (template.archivedAt !== null) {
    return (
      <Banner
        icon={<Archive className="size-4 shrink-0 text-ink-faint" aria-hidden />}
        action={
          may("templates:write", template.applicationId) ? (
            <Button size="sm" onClick={() => act("restore", template)}>
              <ArchiveRestore aria-hidden /> Restore
            </Button>
          ) : null
        }
      >
        Archived <RelativeTime value={template.archivedAt} />: no longer used for messages.
      </Banner>
    );
  }
  if (off.length === 0) return null;
  const names = off.map(
    (each) =>
      environments.find((environment) => environment.id === each.environmentId)?.name ?? each.environment,
  );
  return (
    <Banner danger icon={<PowerOff className="size-4 shrink-0" aria-hidden />}>
      Switched off in {names.join(", ")}: messages there use the next matching template or are refused.
    </Banner>
  );
}

function Banner({
  icon,
  danger,
  action,
  children,
}: {
  icon: ReactNode;
  danger?: boolean;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      role="status"
      className={cn(
        "mb-4 flex flex-wrap items-center gap-2.5 rounded-lg border px-4 py-2.5 text-sm",
        danger ? "border-danger bg-danger-soft text-danger-text" : "border-line bg-surface",
      )}
    >
      {icon}
      <p className="min-w-0 flex-1">{children}</p>
      {action}
    </div>
  );
}

function Loading() {
  return (
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
  );
}
