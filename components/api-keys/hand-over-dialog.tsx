"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { handOverApiKeySchema, type ApiKeySummary } from "../../server/access/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/form-fields.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** Makes a key somebody else's. */
export function HandOverDialog({ apiKey, onClose }: { apiKey: ApiKeySummary; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("apiKeys");
  const query = useQuery(trpc.apiKeys.people.queryOptions({ id: apiKey.id }));
  const others = query.data?.data.filter(({ id }) => id !== apiKey.owner?.id);
  const handOver = useMutation(trpc.apiKeys.handOver.mutationOptions());
  const form = useOperationForm({
    schema: handOverApiKeySchema,
    defaultValues: { to: "" },
    input: ({ to }) => ({ id: apiKey.id, to }),
    send: async (input) => {
      await handOver.mutateAsync(input);
      await refresh();
      toast.success(`Handed over to ${others?.find(({ id }) => id === input.to)?.name ?? "them"}`);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Hand over “${apiKey.name}”`}
      description="The new owner is warned before it expires, and it stops working when they leave. Rotate it if you should no longer know the secret."
      submitLabel="Hand over"
      disabled={!others || others.length === 0}
      onClose={onClose}
    >
      {query.isError && !query.data ? (
        <QueryFailed what="people" query={query} />
      ) : !others ? (
        <Skeleton className="h-9 w-full" />
      ) : others.length === 0 ? (
        <p className="text-sm text-ink-muted">Nobody else can manage API keys here.</p>
      ) : (
        <SelectField
          {...form.field("to")}
          label="New owner"
          hint="Someone who can manage API keys here."
          placeholder="Choose a person"
          options={others.map((each) => ({ value: each.id, label: each.name, hint: each.email }))}
        />
      )}
    </FormDialog>
  );
}
