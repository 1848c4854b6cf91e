"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Globe, Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { addDomainSchema, type ListedDomain } from "../../server/directory/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** The domains that the organisation says are its own, each proven by a record in its DNS. */
export function DomainsSection({ mayConnect }: { mayConnect: boolean }) {
  const trpc = useTRPC();
  const refresh = useRefresh("directory");
  const query = useQuery(trpc.directory.domains.queryOptions());
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<ListedDomain | null>(null);
  const remove = useMutation(
    trpc.directory.removeDomain.mutationOptions({
      onSuccess: async () => {
        toast.success(`${removing?.name ?? ""} removed`);
        setRemoving(null);
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const domains = query.data?.data;
  const add = (
    <Button size="sm" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> Add domain
    </Button>
  );
  return (
    <Card>
      <CardHeader
        title="Domains"
        description="Your directory and identity provider can add people with addresses in verified domains."
        actions={mayConnect && domains && domains.length > 0 ? add : null}
      />
      {query.isError && !domains ? (
        <QueryFailed what="the domains" query={query} />
      ) : !domains ? (
        <div className="grid gap-3 px-4 pb-4" aria-busy>
          <Skeleton className="w-1/3" />
          <Skeleton className="w-2/3" />
        </div>
      ) : domains.length === 0 ? (
        <NothingYet
          icon={Globe}
          title="No domains yet"
          className="py-8"
          action={mayConnect ? add : undefined}
        >
          Add the part of your addresses after the @, such as example.com.
        </NothingYet>
      ) : (
        <ul aria-label="Domains" className="divide-y divide-line border-t border-line">
          {domains.map((domain) => (
            <Domain
              key={domain.id}
              domain={domain}
              mayConnect={mayConnect}
              onRemove={() => setRemoving(domain)}
            />
          ))}
        </ul>
      )}
      {adding ? <AddDomain onClose={() => setAdding(false)} /> : null}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing?.name ?? ""}?`}
        confirmLabel="Remove domain"
        pending={remove.isPending}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
      >
        Your directory can no longer add people in this domain, and they can't sign in through your identity
        provider. Members stay members. To add the domain again, you have to verify it again.
      </ConfirmDialog>
    </Card>
  );
}

function Domain({
  domain,
  mayConnect,
  onRemove,
}: {
  domain: ListedDomain;
  mayConnect: boolean;
  onRemove: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("directory");
  const verify = useMutation(
    trpc.directory.verifyDomain.mutationOptions({
      onSuccess: async () => {
        toast.success(`${domain.name} is verified`);
        await refresh();
      },
    }),
  );
  return (
    <li className="px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="font-medium break-all">{domain.name}</span>
          {domain.verifiedAt ? (
            <>
              <Badge tone="success">Verified</Badge>
              <RelativeTime value={domain.verifiedAt} className="text-xs text-ink-muted" />
            </>
          ) : (
            <Badge tone="warning">Not verified</Badge>
          )}
        </p>
        {mayConnect ? (
          <span className="flex gap-2">
            {domain.verifiedAt ? null : (
              <Button size="sm" pending={verify.isPending} onClick={() => verify.mutate({ id: domain.id })}>
                Verify
              </Button>
            )}
            <Button size="sm" variant="ghost" aria-label={`Remove ${domain.name}`} onClick={onRemove}>
              Remove…
            </Button>
          </span>
        ) : null}
      </div>
      {domain.verifiedAt ? null : (
        <div className="mt-2 grid gap-2 text-ink-muted">
          <p>Add this TXT record to the domain’s DNS, then verify:</p>
          <dl className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-md border border-line bg-sunken px-3 py-2">
            {[
              ["Name", domain.record.name],
              ["Value", domain.record.text],
            ].map(([label = "", value = ""]) => (
              <div key={label} className="contents">
                <dt className="pt-0.5 text-xs">{label}</dt>
                <dd className="flex min-w-0 items-start gap-1">
                  <code className="min-w-0 flex-1 font-mono text-xs leading-6 break-all text-ink">
                    {value}
                  </code>
                  <CopyButton value={value} label={`Copy ${label.toLowerCase()} for ${domain.name}`} />
                </dd>
              </div>
            ))}
          </dl>
          {verify.isError ? (
            <p role="alert" className="text-danger-text">
              {errorText(verify.error)}
            </p>
          ) : null}
        </div>
      )}
    </li>
  );
}

function AddDomain({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("directory");
  const add = useMutation(trpc.directory.addDomain.mutationOptions());
  const form = useOperationForm({
    schema: addDomainSchema,
    defaultValues: { name: "" },
    input: ({ name }) => ({ name: name.trim() }),
    send: async (input) => {
      await add.mutateAsync(input);
      onClose();
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Add domain"
      description="You verify it with a DNS record."
      submitLabel="Add domain"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Domain"
        hint="The part after the @. Add subdomains separately."
        placeholder="example.com"
        maxLength={253}
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}
