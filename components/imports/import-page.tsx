"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { ImportDetails } from "../../server/imports/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { DetailSkeleton } from "../layout/page-skeletons.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { FormError } from "../ui/field.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { named } from "../ui/isolated.ts";
import { ImportProgress } from "./import-progress.tsx";
import { ImportResult } from "./import-result.tsx";
import { delimiterName, encodingName, fileSize, kindWords, stateWords } from "./import-words.ts";
import { MappingForm } from "./mapping-form.tsx";
import { UploadCard } from "./upload-card.tsx";

const ended = new Set<ImportDetails["state"]>(["finished", "canceled", "failed"]);

/** One import: the file comes, its columns are assigned, it is checked, it runs, it has ended. */
export function ImportPage({ id }: { id: string }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.imports.get.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          state.data?.state === "checking" || state.data?.state === "running" ? 1_000 : false,
      },
    ),
  );
  if (query.data) return <Shown one={query.data} />;
  if (!query.isError) return <DetailSkeleton />;
  return (
    <PageFrame>
      <PageHeader
        title="Import"
        back={{ href: href("/imports"), label: "Imports" }}
        environmentScoped={false}
      />
      <Card>
        <QueryFailed what="this import" query={query} />
      </Card>
    </PageFrame>
  );
}

function Shown({ one }: { one: ImportDetails }) {
  const { href, environments } = usePortal();
  const [canceling, setCanceling] = useState(false);
  const [remapping, setRemapping] = useState(false);
  const trpc = useTRPC();
  const refresh = useRefresh("imports");
  const cancel = useMutation(
    trpc.imports.cancel.mutationOptions({
      onSuccess: async () => {
        setCanceling(false);
        await refresh();
        toast.success("Import canceled");
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const { label, tone } = stateWords[one.state];
  const place = environments.find((each) => each.id === one.environmentId);
  const mapping = one.state === "mapping" || (one.state === "checked" && remapping);
  return (
    <PageFrame>
      <PageHeader
        back={{ href: href("/imports"), label: "Imports" }}
        title={named(one.fileName)}
        documentTitle={named(one.fileName)}
        environmentScoped={false}
        description={
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={tone}>{label}</Badge>
            <span>
              {kindWords[one.kind].label}
              {one.kind !== "contacts" && place?.kind === "sandbox" ? " in the sandbox" : null},{" "}
              {fileSize(one.size)}
              {one.encoding === null ? null : (
                <>
                  , {encodingName(one.encoding)}, separated by {delimiterName(one.delimiter ?? "")}
                </>
              )}
              , by {one.startedBy} <RelativeTime value={one.createdAt} />
            </span>
          </span>
        }
        actions={
          ended.has(one.state) ? null : (
            <Button variant="quietDanger" onClick={() => setCanceling(true)}>
              Cancel import
            </Button>
          )
        }
      />
      <div className="grid grid-cols-1 gap-4">
        {one.state === "failed" ? (
          <FormError title="Import failed">
            {one.problem} {one.rows > 0 ? "Rows imported so far are kept." : "Nothing was changed."}
          </FormError>
        ) : null}
        {one.state === "uploading" ? <UploadCard one={one} /> : null}
        {mapping ? (
          <MappingForm
            key={one.id}
            one={one}
            onCancel={remapping ? () => setRemapping(false) : undefined}
            onChecking={() => setRemapping(false)}
          />
        ) : null}
        {one.state === "checking" || one.state === "running" ? <ImportProgress one={one} /> : null}
        {(one.state === "checked" && !mapping) || (ended.has(one.state) && one.rows > 0) ? (
          <ImportResult one={one} onRemap={() => setRemapping(true)} />
        ) : null}
        {one.state === "canceled" && one.rows === 0 ? (
          <Card className="px-4 py-6 text-sm text-ink-muted">
            Canceled before anything was imported. The file was deleted.
          </Card>
        ) : null}
      </div>
      <ConfirmDialog
        open={canceling}
        onClose={() => setCanceling(false)}
        title="Cancel this import?"
        confirmLabel="Cancel import"
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate({ id: one.id })}
      >
        {one.state === "running"
          ? "Rows imported so far are kept. The file is deleted."
          : "Nothing has been imported yet. The file is deleted."}
      </ConfirmDialog>
    </PageFrame>
  );
}
