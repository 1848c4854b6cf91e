"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ExternalLink, Megaphone, Plus, Settings2, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { IncidentView } from "../../server/objectives/schemas.ts";
import { incidentStateName } from "../../server/objectives/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge, Dot } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { useRefreshStatusPage } from "./use-refresh-status-page.ts";

const SettingsDialog = dynamic(() => dialogs().then((module) => module.SettingsDialog));
const IncidentDialog = dynamic(() => dialogs().then((module) => module.IncidentDialog));
const UpdateDialog = dynamic(() => dialogs().then((module) => module.UpdateDialog));
const dialogs = () => import("./status-page-dialogs.tsx");

/** The public status page: whether it is there, what it shows, and the incidents on it. */
export function StatusPageCard({ mayChange }: { mayChange: boolean }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.objectives.statusPage.queryOptions());
  const refresh = useRefreshStatusPage();
  const [open, setOpen] = useState<"settings" | "incident" | IncidentView | null>(null);
  const [removing, setRemoving] = useState<IncidentView | null>(null);
  const remove = useMutation(
    trpc.objectives.removeIncident.mutationOptions({
      onSuccess: async () => {
        toast.success("Incident removed");
        setRemoving(null);
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const page = query.data;
  const published = page?.settings?.published === true;
  return (
    <Card aria-busy={!page}>
      <CardHeader
        title="Status page"
        description="A page that anyone with its address can see without signing in. It doesn't mention providers."
        actions={
          page && mayChange ? (
            <Button onClick={() => setOpen("settings")}>
              <Settings2 aria-hidden /> {page.settings ? "Edit page" : "Set up page"}
            </Button>
          ) : null
        }
      />
      {query.isError && !page ? (
        <QueryFailed what="the status page" query={query} />
      ) : !page ? (
        <div className="px-4 pb-4">
          <Skeleton className="w-1/2" />
        </div>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-3 text-sm">
            <Badge tone={published ? "success" : "outline"}>
              <Dot tone={published ? "success" : "outline"} /> {published ? "Published" : "Not published"}
            </Badge>
            {published && page.address ? (
              <span className="flex min-w-0 items-center gap-1">
                <a
                  href={page.address}
                  className="min-w-0 break-all underline underline-offset-2"
                  target="_blank"
                  rel="noreferrer"
                >
                  {page.address}
                  <ExternalLink className="ml-1 inline size-3.5" aria-label="opens a new tab" />
                </a>
                <CopyButton value={page.address} label="Copy the address" />
              </span>
            ) : (
              <span className="text-ink-muted">Not visible to others.</span>
            )}
          </div>
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-3">
            <h3 className="text-sm font-semibold">Incidents of the last 90 days</h3>
            {mayChange ? (
              <Button size="sm" onClick={() => setOpen("incident")}>
                <Plus aria-hidden /> Post incident
              </Button>
            ) : null}
          </div>
          {page.incidents.length === 0 ? (
            <p className="flex items-center gap-2 px-4 pb-4 text-sm text-ink-muted">
              <Megaphone className="size-4" aria-hidden />
              No incidents. What you post here appears on the status page once it is published.
            </p>
          ) : (
            <ul className="divide-y divide-line border-t border-line" aria-label="Incidents">
              {page.incidents.map((incident) => (
                <li key={incident.id} className="grid gap-2 px-4 py-3">
                  <div className="flex flex-wrap items-start justify-between gap-2">
                    <div className="min-w-0">
                      <p className="text-sm font-medium break-words">{incident.title}</p>
                      <p className="text-xs text-ink-muted">
                        <AbsoluteTime value={incident.beganAt} withYear />
                        {incident.automatic ? " · opened by an alert" : ""}
                      </p>
                    </div>
                    <div className="flex items-center gap-1">
                      <Badge tone={incident.state === "resolved" ? "success" : "warning"}>
                        {incidentStateName[incident.state]}
                      </Badge>
                      {mayChange ? (
                        <>
                          <Button size="sm" variant="ghost" onClick={() => setOpen(incident)}>
                            Add an update
                          </Button>
                          <Button
                            size="iconSm"
                            variant="ghost"
                            aria-label={`Remove ${incident.title}`}
                            onClick={() => setRemoving(incident)}
                          >
                            <Trash2 aria-hidden />
                          </Button>
                        </>
                      ) : null}
                    </div>
                  </div>
                  <ul className="grid gap-1.5 text-sm">
                    {incident.updates.map((update) => (
                      <li key={update.id} className="break-words whitespace-pre-line">
                        <span className="text-xs text-ink-muted">
                          {incidentStateName[update.state]} · <AbsoluteTime value={update.at} />
                        </span>
                        {"\n"}
                        {update.text}
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      {open === "settings" && page ? <SettingsDialog page={page} onClose={() => setOpen(null)} /> : null}
      {open === "incident" ? <IncidentDialog onClose={() => setOpen(null)} /> : null}
      {open !== null && typeof open === "object" ? (
        <UpdateDialog incident={open} onClose={() => setOpen(null)} />
      ) : null}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove incident “${removing?.title ?? ""}”?`}
        confirmLabel="Remove"
        pending={remove.isPending}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
      >
        It is removed from the status page with all its updates. The audit trail keeps a record.
      </ConfirmDialog>
    </Card>
  );
}
