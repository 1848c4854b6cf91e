"use client";

import { useQuery } from "@tanstack/react-query";
import { GitCompareArrows, RotateCcw, ShieldAlert, ShieldCheck } from "lucide-react";
import { useQueryState } from "nuqs";
import type { ReactNode } from "react";
import type { Template } from "../../../server/templates/schemas.ts";
import { EnvironmentSwatch } from "../../layout/environment-mark.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { errorText } from "../../trpc/error-text.ts";
import { QueryFailed } from "../../trpc/query-failed.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { plural } from "../../ui/format.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.ts";
import { ProvenanceBadges } from "../provenance.tsx";
import { parseAsComparison } from "./compare-parameter.ts";
import type { ComparedContent } from "./content-text.ts";
import { VersionDiff } from "./version-diff.tsx";

type Version = Template["versions"][number];

/**
 * The versions of a template, newest first: who, why, when, how they were moderated and where they are live. Any two can
 * be compared, under an address of its own (`?compare=3..5`).
 */
export function HistoryPanel({
  templateId,
  current,
  draft,
  onOpen,
  onRestore,
  className,
}: {
  templateId: string;
  /** The version that stands beside the list. */
  current?: number | undefined;
  /** What is being written; can be compared as well. */
  draft?: ComparedContent | undefined;
  /** Shows a version on the page. */
  onOpen?: (version: number) => void;
  /** Puts a version's content into the draft; absent where there is none. */
  onRestore?: (version: Template) => void;
  className?: string;
}) {
  const trpc = useTRPC();
  const query = useQuery(trpc.templates.get.queryOptions({ id: templateId }));
  const [comparison, setComparison] = useQueryState(
    "compare",
    parseAsComparison.withOptions({ history: "push" }),
  );
  const template = query.data;
  if (query.isError && !template) {
    return <QueryFailed what="the history" query={query} />;
  }
  if (!template) {
    return (
      <div className={cn("grid gap-4 px-4 py-3", className)} aria-busy>
        {[60, 45, 70].map((width) => (
          <div key={width} className="grid gap-2">
            <Skeleton className="w-12" />
            <div style={{ width: `${width}%` }}>
              <Skeleton className="w-full" />
            </div>
          </div>
        ))}
      </div>
    );
  }
  return (
    <div className={className}>
      <ol className="divide-y divide-line">
        {template.versions.map((version, index) => (
          <Entry
            key={version.version}
            version={version}
            deployments={template.deployments.filter((each) => each.version === version.version)}
            current={version.version === current}
            archived={template.archivedAt !== null}
            onOpen={onOpen}
            onCompare={
              draft && index === 0
                ? () => void setComparison({ left: version.version, right: "draft" })
                : version.version > 1
                  ? () => void setComparison({ left: version.version - 1, right: version.version })
                  : undefined
            }
            compareLabel={draft && index === 0 ? "Compare with the draft" : "What it changed"}
            restore={
              onRestore ? (
                <Restore templateId={templateId} version={version.version} onRestore={onRestore} />
              ) : null
            }
          />
        ))}
      </ol>
      {template.versions.length < template.latestVersion ? (
        <p className="px-4 py-2.5 text-xs text-ink-muted">
          The latest {plural(template.versions.length, "version")} of {template.latestVersion}.
        </p>
      ) : null}
      <VersionDiff
        template={template}
        comparison={comparison}
        onChange={(next) => void setComparison(next)}
        draft={draft}
        onRestore={onRestore}
      />
    </div>
  );
}

function Entry({
  version,
  deployments,
  current,
  archived,
  onOpen,
  onCompare,
  compareLabel,
  restore,
}: {
  version: Version;
  deployments: Template["deployments"];
  current: boolean;
  /** Then nothing is live: what stood where when it was archived. */
  archived: boolean;
  onOpen: ((version: number) => void) | undefined;
  onCompare: (() => void) | undefined;
  compareLabel: string;
  restore: ReactNode;
}) {
  const { environments } = usePortal();
  const name = <span className="text-sm font-medium tabular">Version {version.version}</span>;
  return (
    <li className={cn("px-4 py-3", current && "bg-selected")}>
      <div className="flex items-baseline justify-between gap-3">
        {onOpen && !current ? (
          <button
            type="button"
            className="rounded-sm text-left hover:underline"
            onClick={() => onOpen(version.version)}
          >
            {name}
          </button>
        ) : (
          <span aria-current={current ? "true" : undefined}>{name}</span>
        )}
        <RelativeTime value={version.createdAt} className="shrink-0 text-xs text-ink-muted" />
      </div>
      <p className="mt-0.5 text-sm break-words text-ink-muted">
        {version.author}
        {version.note ? <span className="text-ink">: {version.note}</span> : null}
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
        {deployments.map((deployment) => {
          const environment = environments.find((each) => each.id === deployment.environmentId);
          return (
            <Badge key={deployment.environmentId} tone={deployment.disabled ? "danger" : "outline"}>
              <EnvironmentSwatch kind={environment?.kind ?? "nonproduction"} />
              {archived ? "Was live in" : deployment.disabled ? "Switched off in" : "Live in"}{" "}
              {environment?.name ?? deployment.environment}
            </Badge>
          );
        })}
        <Moderated version={version} />
        <ProvenanceBadges provenance={version.provenance} review={version.review} />
      </div>
      <div className="mt-1.5 -ml-2 flex flex-wrap gap-1">
        {onCompare ? (
          <Button size="sm" variant="ghost" onClick={onCompare}>
            <GitCompareArrows aria-hidden /> {compareLabel}
          </Button>
        ) : null}
        {restore}
      </div>
    </li>
  );
}

const checkNames: Record<string, string> = { deterministic: "rules" };

/** Which checks a version passed when it was saved, and how much they found. */
function Moderated({ version }: { version: Version }) {
  const by = version.checkedBy.map((name) => checkNames[name] ?? "AI");
  const names = [...new Set(by)].join(" and ");
  if (by.length === 0) return <Badge tone="warning">Not moderated</Badge>;
  const found = version.findings > 0;
  const Icon = found ? ShieldAlert : ShieldCheck;
  return (
    <Badge tone={found ? "warning" : "neutral"} title={version.checkedBy.join(", ")}>
      <Icon aria-hidden />
      {found ? plural(version.findings, "finding") : "Checked"} by {names}
    </Badge>
  );
}

/** Fetches a version only when it is wanted back. */
function Restore({
  templateId,
  version,
  onRestore,
}: {
  templateId: string;
  version: number;
  onRestore: (version: Template) => void;
}) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.templates.get.queryOptions({ id: templateId, version }, { enabled: false, staleTime: Infinity }),
  );
  return (
    <Button
      size="sm"
      variant="ghost"
      pending={query.isFetching}
      onClick={() =>
        void query.refetch().then(({ data, error }) => {
          if (error) toast.error(errorText(error));
          else if (data) onRestore(data);
        })
      }
    >
      <RotateCcw aria-hidden /> Restore to draft
    </Button>
  );
}
