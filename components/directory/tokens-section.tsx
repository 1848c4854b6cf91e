"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { createTokenSchema, type ListedToken } from "../../server/directory/schemas.ts";
import { directoryLimits } from "../../server/directory/vocabulary.ts";
import { PartRow } from "../settings/part-list.tsx";
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
import { SecretOnce } from "../ui/secret-once.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

type Asked = { what: "rotate" | "revoke"; token: ListedToken };

/** The address that a directory is given, and the tokens that it shows there. */
export function TokensSection({ mayConnect }: { mayConnect: boolean }) {
  const trpc = useTRPC();
  const refresh = useRefresh("directory");
  const query = useQuery(trpc.directory.tokens.queryOptions());
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const onError = (error: unknown) => {
    setAsked(null);
    toast.error(errorText(error));
  };
  const rotate = useMutation(
    trpc.directory.rotateToken.mutationOptions({
      onSuccess: async ({ token }) => {
        setAsked(null);
        setSecret(token);
        await refresh();
      },
      onError,
    }),
  );
  const revoke = useMutation(
    trpc.directory.revokeToken.mutationOptions({
      onSuccess: async () => {
        toast.success(`Token “${asked?.token.name ?? ""}” revoked`);
        setAsked(null);
        await refresh();
      },
      onError,
    }),
  );
  const tokens = query.data?.data;
  const add = (
    <Button size="sm" onClick={() => setMaking(true)}>
      <Plus aria-hidden /> Create token
    </Button>
  );
  const actionsOf = (token: ListedToken) =>
    mayConnect
      ? [
          ...(token.expiresAt
            ? []
            : [{ label: "Replace…", onSelect: () => setAsked({ what: "rotate", token }) }]),
          { label: "Revoke…", danger: true, onSelect: () => setAsked({ what: "revoke", token }) },
        ]
      : [];
  return (
    <Card>
      <CardHeader
        title="Connection (SCIM 2.0)"
        description="Enter these in Entra, Okta or another directory."
        actions={mayConnect && tokens && tokens.length > 0 ? add : null}
      />
      {query.isError && !query.data ? (
        <QueryFailed what="the tokens" query={query} />
      ) : !query.data || !tokens ? (
        <div className="grid gap-3 px-4 pb-4" aria-busy>
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/3" />
        </div>
      ) : (
        <>
          <div className="px-4 pb-4 text-sm">
            <p className="mb-1.5 font-medium">Address</p>
            <div className="flex items-center gap-1 rounded-md border border-line bg-sunken py-1 pr-1.5 pl-3">
              <code className="min-w-0 flex-1 font-mono text-xs break-all">{query.data.address}</code>
              <CopyButton value={query.data.address} label="Copy address" />
            </div>
          </div>
          {tokens.length === 0 ? (
            <NothingYet
              icon={KeyRound}
              title="No tokens yet"
              className="border-t border-line py-8"
              action={mayConnect ? add : undefined}
            >
              Your directory authenticates with a token. It can only add, update and deactivate members.
            </NothingYet>
          ) : (
            <ul aria-label="Tokens" className="divide-y divide-line border-t border-line">
              {tokens.map((token) => (
                <PartRow
                  key={token.id}
                  name={token.name}
                  code={token.hint}
                  badge={token.expiresAt ? <Badge tone="warning">Replaced</Badge> : null}
                  actions={actionsOf(token)}
                >
                  {token.expiresAt ? (
                    <>
                      Expires <RelativeTime value={token.expiresAt} ahead />.{" "}
                    </>
                  ) : null}
                  Created <RelativeTime value={token.createdAt} /> by {token.createdBy},{" "}
                  {token.lastUsedAt ? (
                    <>
                      last used <RelativeTime value={token.lastUsedAt} />
                    </>
                  ) : (
                    "never used"
                  )}
                </PartRow>
              ))}
            </ul>
          )}
        </>
      )}
      {making ? <MakeToken onClose={() => setMaking(false)} onMade={setSecret} /> : null}
      <SecretOnce
        secret={secret}
        title="Your new token"
        explanation="Enter it in your directory."
        onClose={() => setSecret(null)}
      />
      <ConfirmDialog
        open={asked?.what === "rotate"}
        onClose={() => setAsked(null)}
        title={`Replace “${asked?.token.name ?? ""}”?`}
        confirmLabel="Create token"
        danger={false}
        pending={rotate.isPending}
        onConfirm={() => asked && rotate.mutate({ id: asked.token.id })}
      >
        You get a new token. This one keeps working for {directoryLimits.overlapHours} hours, so that you can
        update your directory.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked?.what === "revoke"}
        onClose={() => setAsked(null)}
        title={`Revoke “${asked?.token.name ?? ""}”?`}
        confirmLabel="Revoke token"
        pending={revoke.isPending}
        onConfirm={() => asked && revoke.mutate({ id: asked.token.id })}
      >
        Requests with it are refused within five seconds. Members and groups are kept, but people you
        deactivate in your directory can still sign in here.
      </ConfirmDialog>
    </Card>
  );
}

function MakeToken({ onClose, onMade }: { onClose: () => void; onMade: (token: string) => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("directory");
  const create = useMutation(trpc.directory.createToken.mutationOptions());
  const form = useOperationForm({
    schema: createTokenSchema,
    defaultValues: { name: "" },
    input: ({ name }) => ({ name: name.trim() }),
    send: async (input) => {
      const { token } = await create.mutateAsync(input);
      onClose();
      onMade(token);
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Create token"
      description="It can add, update and deactivate members in your domains."
      submitLabel="Create token"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        hint="Such as your directory’s name. Shown in the audit trail."
        placeholder="Entra"
        maxLength={120}
        required
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}
