"use client";

import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { endMembershipSchema } from "../../server/access/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Combobox } from "../ui/combobox.tsx";
import { FormError } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { named } from "../ui/isolated.ts";

const stop = "stop";

type Person = { id: string; name: string; email: string };

const words = {
  remove: {
    title: (name: string) => `Remove ${named(name)}?`,
    description: "They lose access within seconds. The audit trail keeps what they did.",
    submit: "Remove member",
    done: (name: string) => `${named(name)} was removed`,
    refused: "The member was not removed",
    keys: "Revoke",
    keysHint: "Requests with them are refused within five seconds. This can't be undone.",
    stopped: "revoked",
    approvals: "no longer count",
  },
  suspend: {
    title: (name: string) => `Suspend ${named(name)}?`,
    description: "They are signed out and can't sign in until reactivated. Roles and password are kept.",
    submit: "Suspend member",
    done: (name: string) => `${named(name)} was suspended`,
    refused: "The member was not suspended",
    keys: "Pause",
    keysHint: "Requests with them are refused until the person is reactivated.",
    stopped: "stopped",
    approvals: "don't count until then",
  },
} as const;

/** Every other active member, page after page. */
function useColleagues(member: Person, enabled: boolean): Person[] {
  const trpc = useTRPC();
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    trpc.members.list.infiniteQueryOptions(
      { state: "active", limit: 200 },
      { enabled, getNextPageParam: (page) => page.nextCursor },
    ),
  );
  useEffect(() => {
    if (enabled && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [enabled, hasNextPage, isFetching, error, fetchNextPage]);
  return (data?.pages ?? []).flatMap((page) => page.data).filter(({ id }) => id !== member.id);
}

/** Asks before somebody is removed or suspended: says what ends with it, and what becomes of their API keys. */
export function EndMembershipDialog({
  member,
  how,
  onClose,
}: {
  member: Person;
  how: keyof typeof words;
  onClose: (ended: boolean) => void;
}) {
  const text = words[how];
  const { environments } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("members", "roles", "apiKeys");
  const query = useQuery(trpc.members.keys.queryOptions({ userId: member.id }));
  const ending = query.data;
  const keys = ending?.data;
  const others = useColleagues(member, keys !== undefined && keys.length > 0);
  const remove = useMutation(trpc.members.remove.mutationOptions());
  const suspend = useMutation(trpc.members.suspend.mutationOptions());
  const form = useOperationForm({
    schema: endMembershipSchema,
    defaultValues: { handKeysTo: stop },
    input: ({ handKeysTo }) => ({
      userId: member.id,
      handKeysTo: handKeysTo === stop ? undefined : handKeysTo,
    }),
    send: async (input) => {
      const { keysStopped, keysHandedOver } = await (how === "remove" ? remove : suspend).mutateAsync(input);
      toast.success(
        [
          text.done(member.name),
          ...(keysStopped.length > 0 ? [`${plural(keysStopped.length, "key")} ${text.stopped}`] : []),
          ...(keysHandedOver.length > 0
            ? [`${plural(keysHandedOver.length, "key")} handed to ${heir?.name ?? "a colleague"}`]
            : []),
        ].join("; "),
      );
      onClose(true);
      await refresh();
    },
  });
  const choice = useWatch({ control: form.control, name: "handKeysTo" });
  const heir = others.find((each) => each.id === choice);
  const also = ending
    ? [
        ...(ending.approvals > 0
          ? [`${plural(ending.approvals, "approval")} of promotions in progress ${text.approvals}.`]
          : []),
        ...(ending.promotions > 0
          ? [`${plural(ending.promotions, "promotion")} that they asked for can go on without them.`]
          : []),
        ...(ending.invitations > 0
          ? [`${plural(ending.invitations, "open invitation")} can no longer be accepted.`]
          : []),
      ]
    : [];

  return (
    <FormDialog
      form={form}
      title={text.title(member.name)}
      description={text.description}
      submitLabel={text.submit}
      danger
      disabled={!keys}
      refused={(error) => <FormError title={text.refused}>{errorText(error)}</FormError>}
      onClose={() => onClose(false)}
    >
      {query.isError && !keys ? (
        <QueryFailed what="their API keys" query={query} />
      ) : !keys ? (
        <Skeleton className="h-10 w-full" />
      ) : (
        <>
          {also.length > 0 ? (
            <ul className="list-disc pl-5 text-sm">
              {also.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          ) : null}
          {keys.length === 0 ? (
            <p className="text-sm text-ink-muted">They have no active API keys.</p>
          ) : (
            <>
              <div>
                <p className="text-sm font-medium">{plural(keys.length, "active API key")} of theirs</p>
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
              <FormField
                {...form.field("handKeysTo")}
                label="What to do with them"
                hint={
                  heir
                    ? "They keep working and belong to the person you choose. Rotate them if the former owner may have kept the secret."
                    : text.keysHint
                }
              >
                {(ids, field) => (
                  <Combobox
                    {...ids}
                    value={field.value}
                    onValueChange={field.onChange}
                    searchLabel="Search members"
                    options={[
                      { value: stop, text: text.keys },
                      ...others.map((each) => ({
                        value: each.id,
                        text: `Hand over to ${each.name}`,
                        hint: each.email,
                      })),
                    ]}
                  />
                )}
              </FormField>
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}
