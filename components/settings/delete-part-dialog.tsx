"use client";

import { useQuery } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import type { Dependent, PartKind } from "../../server/tenancy/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { named } from "../ui/isolated.ts";
import { DependentList } from "./dependents.tsx";
import { useSaved } from "./use-set-up-changed.ts";

export interface Part {
  kind: PartKind;
  id: string;
  name: string;
  /** Short name of an environment. */
  environment?: string;
}

/** What hangs on a part, asked for anew each time. */
function useDependents(part: Part) {
  const trpc = useTRPC();
  return useQuery(
    trpc.tenancy.dependents.queryOptions({ kind: part.kind, id: part.id }, { staleTime: 0, gcTime: 0 }),
  );
}

/** Deletes a part on which nothing hangs, once its name was typed; otherwise says what does. */
export function DeletePartDialog({
  part,
  what,
  remove,
  pending,
  onClose,
}: {
  part: Part;
  /** What kind of thing it is, e.g. "team". */
  what: string;
  remove: () => Promise<unknown>;
  pending: boolean;
  onClose: () => void;
}) {
  const query = useDependents(part);
  const saved = useSaved(onClose);
  const dependents = query.data?.data;
  if (dependents?.length === 0) {
    return (
      <ConfirmDialog
        open
        onClose={onClose}
        title={`Delete the ${what} ${named(part.name)}?`}
        confirmLabel={`Delete the ${what}`}
        typeToConfirm={part.name}
        pending={pending}
        onConfirm={() => {
          remove().then(
            () => saved(`${part.name} deleted`),
            (error: unknown) => {
              toast.error(errorText(error));
              void query.refetch();
            },
          );
        }}
      >
        Nothing uses it. This can't be undone.
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={dependents ? `${named(part.name)} is still used` : `Delete the ${what} ${named(part.name)}?`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {dependents ? (
        <StillUsed dependents={dependents} environment={part.environment} what={what} />
      ) : query.isError ? (
        <QueryFailed what="what uses it" query={query} />
      ) : (
        <div className="grid gap-2" aria-busy>
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/3" />
        </div>
      )}
    </Dialog>
  );
}

function StillUsed({
  dependents,
  environment,
  what,
}: {
  dependents: readonly Dependent[];
  environment: string | undefined;
  what: string;
}) {
  return (
    <div className="text-sm">
      <p>Before you can delete this {what}, delete or change these:</p>
      <DependentList dependents={dependents} environment={environment} />
      {dependents.some(({ kind }) => kind === "messages") ? (
        <p className="mt-3 text-ink-muted">
          Messages keep a record of their environment, so a used environment can't be deleted. Rename it if
          you need the name.
        </p>
      ) : null}
    </div>
  );
}

/** Archives an application once its name was typed; says first what that ends. */
export function ArchiveDialog({
  part,
  archive,
  pending,
  onClose,
}: {
  part: Part;
  archive: () => Promise<unknown>;
  pending: boolean;
  onClose: () => void;
}) {
  const query = useDependents(part);
  const saved = useSaved(onClose);
  const dependents = query.data?.data ?? [];
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Archive ${named(part.name)}?`}
      confirmLabel="Archive application"
      typeToConfirm={part.name}
      pending={pending}
      onConfirm={() => {
        archive().then(
          () => saved(`${part.name} archived`),
          (error: unknown) => toast.error(errorText(error)),
        );
      }}
    >
      <p>
        Requests for it are refused from now on. Accepted messages are still sent and can be viewed. You can
        restore it at any time.
      </p>
      {dependents.length > 0 ? (
        <>
          <p className="mt-3">These are kept but inactive until it is restored:</p>
          <DependentList dependents={dependents} />
        </>
      ) : null}
    </ConfirmDialog>
  );
}
