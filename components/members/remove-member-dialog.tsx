"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "sonner";
import { removeMemberSchema } from "../../server/access/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormError } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

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
  const refresh = useRefresh("members", "apiKeys");
  const query = useQuery(trpc.members.keys.queryOptions({ userId: member.id }));
  const keys = query.data?.data;
  const remove = useMutation(trpc.members.remove.mutationOptions());
  const form = useOperationForm({
    schema: removeMemberSchema,
    defaultValues: { handKeysTo: revoke },
    input: ({ handKeysTo }) => ({
      userId: member.id,
      handKeysTo: handKeysTo === revoke ? undefined : handKeysTo,
    }),
    send: async (input) => {
      const { keysRevoked, keysHandedOver } = await remove.mutateAsync(input);
      toast.success(
        [
          `${member.name} was removed`,
          ...(keysRevoked.length > 0 ? [`${plural(keysRevoked.length, "key")} revoked`] : []),
          ...(keysHandedOver.length > 0
            ? [`${plural(keysHandedOver.length, "key")} handed to ${heir?.name ?? "a colleague"}`]
            : []),
        ].join("; "),
      );
      await refresh();
      onClose();
    },
  });
  const choice = useWatch({ control: form.control, name: "handKeysTo" });
  const heir = others.find((each) => each.id === choice);

  return (
    <FormDialog
      form={form}
      title={`Remove ${member.name}?`}
      description="Their roles, password and sessions end within seconds. What they did stays in the audit trail."
      submitLabel="Remove member"
      danger
      disabled={!keys}
      refused={(error) => <FormError title="Nobody was removed">{errorText(error)}</FormError>}
      onClose={onClose}
    >
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
          <SelectField
            {...form.field("handKeysTo")}
            label="What happens to them"
            hint={
              heir
                ? "They go on working, and count as this person's. Rotate them if the text may have been kept."
                : "Whatever uses them is refused within five seconds. This cannot be undone."
            }
            options={[
              { value: revoke, label: "Revoke them" },
              ...others.map((each) => ({
                value: each.id,
                label: `Hand them to ${each.name}`,
                hint: each.email,
              })),
            ]}
          />
        </>
      )}
    </FormDialog>
  );
}
