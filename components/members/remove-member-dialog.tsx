"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";

const revoke = "revoke";

type Person = { id: string; name: string; email: string };

/** Asks before somebody is removed: lists their API keys, which end then or go on as a colleague's. */
export function RemoveMemberDialog({
  member,
  others,
  onClose,
}: {
  member: Person;
  others: readonly Person[];
  onClose: () => void;
}) {
  const { environments } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [choice, setChoice] = useState(revoke);
  const query = useQuery(trpc.members.keys.queryOptions({ userId: member.id }));
  const keys = query.data?.data;
  const heir = others.find((each) => each.id === choice);
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: async ({ keysRevoked, keysHandedOver }) => {
        toast.success(
          [
            `${member.name} was removed`,
            ...(keysRevoked.length > 0 ? [`${plural(keysRevoked.length, "key")} revoked`] : []),
            ...(keysHandedOver.length > 0
              ? [`${plural(keysHandedOver.length, "key")} handed to ${heir?.name ?? "a colleague"}`]
              : []),
          ].join("; "),
        );
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.apiKeys.pathKey() }),
        ]);
        onClose();
      },
    }),
  );

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${member.name}?`}
      description="Their roles, password and sessions end within seconds. What they did stays in the audit trail."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            disabled={!keys}
            pending={remove.isPending}
            onClick={() => remove.mutate({ userId: member.id, ...(heir ? { handKeysTo: heir.id } : {}) })}
          >
            Remove member
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {remove.error ? <FormError title="Nobody was removed">{errorText(remove.error)}</FormError> : null}
        {query.isError && !keys ? (
          <QueryFailed what="their API keys" error={query.error} onRetry={() => void query.refetch()} />
        ) : !keys ? (
          <Skeleton className="h-10 w-full" />
        ) : keys.length === 0 ? (
          <p className="text-sm text-ink-muted">They have no valid API keys.</p>
        ) : (
          <>
            <div>
              <p className="text-sm font-medium">{plural(keys.length, "valid API key")} of theirs</p>
              <ul className="mt-1.5 max-h-48 divide-y divide-line overflow-y-auto rounded-md border border-line text-sm">
                {keys.map((key) => (
                  <li key={key.id} className="px-3 py-2">
                    <span className="font-medium">{key.name}</span>{" "}
                    <code className="font-mono text-xs text-ink-muted">{key.hint}</code>
                    <span className="block text-xs text-ink-muted">
                      {environments.find((each) => each.id === key.environmentId)?.name ?? "–"},{" "}
                      {key.lastUsedAt ? (
                        <>
                          used <RelativeTime value={key.lastUsedAt} />
                        </>
                      ) : (
                        "never used"
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            </div>
            <Field
              label="What becomes of them"
              hint={
                heir
                  ? "They go on working, and count as this person's. Rotate them if the text may have been kept."
                  : "Whatever uses them is refused within five seconds. This cannot be undone."
              }
            >
              {(control) => (
                <Select
                  id={control.id}
                  value={choice}
                  onValueChange={setChoice}
                  options={[
                    { value: revoke, label: "Revoke them" },
                    ...others.map((each) => ({
                      value: each.id,
                      label: `Hand them to ${each.name}`,
                      hint: each.email,
                    })),
                  ]}
                />
              )}
            </Field>
          </>
        )}
      </div>
    </Dialog>
  );
}
