"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toast } from "../ui/toast.ts";
import type { ImportItem, TemplateImport } from "../../server/template-files/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";

const looks = {
  create: ["New", "success"],
  update: ["New version", "info"],
  unchanged: ["Unchanged", "neutral"],
  invalid: ["Invalid", "danger"],
} as const satisfies Record<ImportItem["action"], [string, BadgeTone]>;

function Outcome({ item }: { item: ImportItem }) {
  if (item.state === "done") return <Badge tone="success">Saved as version {item.version}</Badge>;
  if (item.state === "failed") return <Badge tone="danger">Failed</Badge>;
  const [label, tone] = looks[item.action];
  return <Badge tone={tone}>{label}</Badge>;
}

/** What an import would do, its progress and its result. Lives at `?import=…`, so a reload or a colleague sees the same. */
export function ImportPlanView({ id, onClose }: { id: string; onClose: () => void }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [showUnchanged, setShowUnchanged] = useState(false);
  const query = useQuery(
    trpc.templateFiles.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.state === "running" ? 1_000 : false) },
    ),
  );
  const state = query.data?.state;
  useEffect(() => {
    if (state !== "finished" && state !== "canceled") return;
    // What it saved shows everywhere else.
    void queryClient.invalidateQueries({ queryKey: trpc.templateFiles.imports.queryKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.templates.pathKey() });
  }, [state, queryClient, trpc]);
  const refresh = async (next: TemplateImport) => {
    queryClient.setQueryData(trpc.templateFiles.get.queryKey({ id }), next);
    await queryClient.invalidateQueries({ queryKey: trpc.templateFiles.imports.queryKey() });
  };
  const start = useMutation(
    trpc.templateFiles.start.mutationOptions({
      onSuccess: refresh,
      onError: (error) => {
        toast.error("Import not started", { description: errorText(error) });
        // Files may have been added meanwhile.
        void query.refetch();
      },
    }),
  );
  const cancel = useMutation(
    trpc.templateFiles.cancel.mutationOptions({
      onSuccess: async (next) => {
        await refresh(next);
        toast.success(next.startedAt ? "Import stopped. Saved versions are kept" : "Import discarded");
        if (!next.startedAt) onClose();
      },
      onError: (error) => toast.error("Import not stopped", { description: errorText(error) }),
    }),
  );

  if (query.isError && !query.data) {
    return (
      <Card>
        <QueryFailed what="the import" query={query} />
      </Card>
    );
  }
  if (!query.data) {
    return (
      <Card className="grid gap-3 p-4">
        <Skeleton className="w-48" />
        <Skeleton className="h-40 w-full" />
      </Card>
    );
  }
  const plan = query.data;
  const { create, update, unchanged, invalid, done, failed } = plan.counts;
  const changes = create + update;
  const shown = plan.items.filter((item) => showUnchanged || item.action !== "unchanged");
  return (
    <Card>
      <CardHeader
        title={
          plan.state === "planned"
            ? `Import into ${plan.application}: nothing is saved yet`
            : plan.state === "running"
              ? `Importing into ${plan.application}: ${String(done + failed)} of ${String(changes)}`
              : plan.state === "canceled"
                ? `Import into ${plan.application}, stopped`
                : `Imported into ${plan.application}`
        }
        description={
          <>
            {plan.state === "planned"
              ? `${String(create)} new, ${String(update)} changed, ${String(unchanged)} unchanged, ${String(invalid)} not valid; moderated when saved`
              : `${String(done)} saved, ${String(failed)} failed`}
            {" · "}
            {plan.by}, <RelativeTime value={plan.createdAt} />
            {plan.note ? ` · ${plan.note}` : null}
          </>
        }
        actions={
          plan.state === "planned" ? (
            <>
              <Button onClick={() => cancel.mutate({ id })} pending={cancel.isPending}>
                Discard
              </Button>
              <Button
                variant="primary"
                // What is started is what is shown here.
                onClick={() =>
                  start.mutate({ id, lastPosition: Math.max(...plan.items.map(({ position }) => position)) })
                }
                pending={start.isPending}
                disabled={changes === 0}
              >
                {changes === 0 ? "Nothing to import" : `Import ${plural(changes, "template")}`}
              </Button>
            </>
          ) : plan.state === "running" ? (
            <Button onClick={() => cancel.mutate({ id })} pending={cancel.isPending}>
              Stop
            </Button>
          ) : (
            <Button onClick={onClose}>Close</Button>
          )
        }
      />
      {plan.state === "running" ? (
        <progress
          className="mx-4 mb-3 block h-1.5 w-[calc(100%-2rem)] accent-accent"
          aria-label="Progress of the import"
          max={changes}
          value={done + failed}
        />
      ) : null}
      {unchanged > 0 ? (
        <label className="flex items-center gap-2 px-4 pb-3 text-sm text-ink-muted">
          <Checkbox
            checked={showUnchanged}
            onCheckedChange={(checked) => setShowUnchanged(checked === true)}
          />
          Show {plural(unchanged, "unchanged template")}
        </label>
      ) : null}
      {shown.length === 0 ? (
        <p className="border-t border-line px-4 py-6 text-sm text-ink-muted">
          All templates already match these files.
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {shown.map((item) => (
            <li key={item.position} className="px-4 py-2.5">
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                {item.templateId ? (
                  <Link
                    href={href(`/templates/${item.templateId}`)}
                    className="min-w-0 font-mono text-xs break-all hover:underline"
                  >
                    {item.path}
                  </Link>
                ) : (
                  <span className="min-w-0 font-mono text-xs break-all">{item.path}</span>
                )}
                <Outcome item={item} />
              </div>
              {item.problem ? (
                <ul className="mt-1 grid gap-0.5 text-xs text-danger-text">
                  {item.state === "planned" && item.action !== "invalid" ? (
                    <li>{item.problem.detail} Retrying.</li>
                  ) : item.problem.errors.length > 0 ? (
                    item.problem.errors
                      .slice(0, 5)
                      .map((error, index) => (
                        <li key={index}>
                          {error.pointer ? `${error.pointer}: ${error.detail}` : error.detail}
                        </li>
                      ))
                  ) : (
                    <li>{item.problem.detail}</li>
                  )}
                </ul>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
