"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, RotateCcw } from "lucide-react";
import type { Template } from "../../../server/templates/schemas.ts";
import { useTRPC } from "../../trpc/client.tsx";
import { QueryFailed } from "../../trpc/query-failed.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import type { Comparison, Side } from "./compare-parameter.ts";
import { ContentDiff, type ComparedContent } from "./content-diff.tsx";

type Version = Template["versions"][number];

/** Any two versions of a template, or one and the draft, side by side. */
export function VersionDiff({
  template,
  comparison,
  onChange,
  draft,
  onRestore,
}: {
  template: Pick<Template, "id" | "name" | "versions">;
  /** Null: closed. */
  comparison: Comparison | null;
  onChange: (comparison: Comparison | null) => void;
  /** What is being written, when the reader is writing. */
  draft?: ComparedContent | undefined;
  onRestore?: ((version: Template) => void) | undefined;
}) {
  const left = useSide(template.id, comparison?.left, draft);
  const right = useSide(template.id, comparison?.right, draft);
  const failed = [left, right].find((side) => side.query.isError && !side.content);
  const options = [
    ...(draft ? [{ value: "draft", label: "The draft" }] : []),
    ...template.versions.map((version) => ({
      value: String(version.version),
      label: `Version ${version.version}`,
      hint: version.author,
    })),
  ];
  const pick = (side: "left" | "right") => (value: string) => {
    if (comparison) onChange({ ...comparison, [side]: value === "draft" ? "draft" : Number(value) });
  };
  // The older of the two is what one would want back; the newest is what the draft came from.
  const restorable = left.query.data;

  return (
    <Dialog
      open={comparison !== null}
      onClose={() => onChange(null)}
      title={`Compare versions of ${template.name}`}
      className="top-[5vh] max-h-[90vh] max-w-6xl"
      footer={
        onRestore && restorable ? (
          <Button
            onClick={() => {
              onRestore(restorable);
              onChange(null);
            }}
          >
            <RotateCcw aria-hidden /> Restore version {restorable.version} to the draft
          </Button>
        ) : null
      }
    >
      {comparison ? (
        <div className="grid grid-cols-1 gap-4">
          <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-start gap-2">
            <Picker
              label="Left"
              value={comparison.left}
              versions={template.versions}
              options={options}
              onValueChange={pick("left")}
            />
            <Button
              variant="ghost"
              size="icon"
              aria-label="Swap sides"
              title="Swap sides"
              onClick={() => onChange({ left: comparison.right, right: comparison.left })}
            >
              <ArrowLeftRight aria-hidden />
            </Button>
            <Picker
              label="Right"
              value={comparison.right}
              versions={template.versions}
              options={options}
              onValueChange={pick("right")}
            />
          </div>
          {!draft && (comparison.left === "draft" || comparison.right === "draft") ? (
            <p className="text-sm text-ink-muted">
              Open the editor to see the draft, or choose two versions.
            </p>
          ) : failed ? (
            <QueryFailed what="one of the versions" query={failed.query} />
          ) : left.content && right.content ? (
            <ContentDiff left={left.content} right={right.content} />
          ) : (
            <div className="grid gap-3" aria-busy>
              <Skeleton className="w-24" />
              <Skeleton className="h-64 w-full" />
            </div>
          )}
        </div>
      ) : null}
    </Dialog>
  );
}

function useSide(templateId: string, side: Side | undefined, draft: ComparedContent | undefined) {
  const trpc = useTRPC();
  const version = typeof side === "number" ? side : undefined;
  const query = useQuery(
    trpc.templates.get.queryOptions(
      { id: templateId, version },
      // A version never changes; what is live where is not shown here.
      { enabled: version !== undefined, staleTime: Infinity },
    ),
  );
  const stored = query.data?.version === version ? query.data : undefined;
  return { query, content: side === "draft" ? draft : stored };
}

function Picker({
  label,
  value,
  versions,
  options,
  onValueChange,
}: {
  label: string;
  value: Side;
  versions: readonly Version[];
  options: { value: string; label: string; hint?: string }[];
  onValueChange: (value: string) => void;
}) {
  const version = versions.find((each) => each.version === value);
  return (
    <div className="min-w-0">
      <Select
        aria-label={`${label} side`}
        value={String(value)}
        onValueChange={onValueChange}
        options={options}
      />
      <p className="mt-1 truncate text-xs text-ink-muted">
        {version ? (
          <>
            {version.author}, <RelativeTime value={version.createdAt} />
            {version.note ? `: ${version.note}` : ""}
          </>
        ) : value === "draft" ? (
          "Not saved yet"
        ) : (
          "Not among the latest versions"
        )}
      </p>
    </div>
  );
}
