"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import {
  addPasskeySchema,
  removePasskeySchema,
  renamePasskeySchema,
  startPasskeySchema,
} from "../../server/access/schemas.ts";
import { passkeyLimits } from "../../server/access/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { ProofFields } from "./proof-fields.tsx";
import { describeBrowser } from "./describe-browser.ts";

type Proof = { password: boolean; code: boolean };
type Passkey = { id: string; name: string };
type Open = { what: "add" } | { what: "rename" | "remove"; passkey: Passkey } | null;

/** The reader's passkeys. */
export function PasskeysCard() {
  const trpc = useTRPC();
  const query = useQuery(trpc.passkeys.list.queryOptions());
  const refresh = useRefresh("passkeys", "sessions");
  const [open, setOpen] = useState<Open>(null);
  const listed = query.data;
  const close = () => {
    setOpen(null);
    void refresh();
  };
  const passkeys = listed?.data ?? [];
  const hydrated = useHydrated();
  const hindrance = listed && whyNot(listed, hydrated);
  // Where there never are any, nothing is said of them.
  if (listed && !listed.possible && passkeys.length === 0) return null;
  return (
    <Card className="mb-4" aria-busy={query.isPending}>
      <CardHeader
        title="Passkeys"
        description="Sign in with a fingerprint, face or device PIN instead of a password and code."
        actions={
          listed && hindrance === null && passkeys.length < passkeyLimits.each ? (
            <Button size="sm" onClick={() => setOpen({ what: "add" })}>
              Add
            </Button>
          ) : null
        }
      />
      {query.isError && !listed ? (
        <QueryFailed what="passkeys" query={query} />
      ) : !listed ? (
        <div className="px-4 pb-4">
          <Skeleton className="w-56" />
        </div>
      ) : (
        <>
          {hindrance ? <p className="px-4 pb-4 text-sm text-ink-muted">{hindrance}</p> : null}
          {passkeys.length > 0 ? (
            <ul aria-label="Passkeys" className="divide-y divide-line border-t border-line">
              {passkeys.map((passkey) => (
                <li key={passkey.id} className="flex flex-wrap items-center gap-3 px-4 py-3">
                  <KeyRound className="size-5 shrink-0 text-ink-faint" strokeWidth={1.75} aria-hidden />
                  <div className="min-w-0 flex-1 basis-48">
                    <p className="truncate text-sm font-medium" title={passkey.name}>
                      {passkey.name}
                    </p>
                    <p className="text-xs text-ink-muted">
                      Added <AbsoluteTime value={passkey.createdAt} />,{" "}
                      {passkey.lastUsedAt ? (
                        <>
                          last used <RelativeTime value={passkey.lastUsedAt} />
                        </>
                      ) : (
                        "never used"
                      )}
                    </p>
                  </div>
                  <div className="flex gap-2">
                    <Button
                      size="sm"
                      aria-label={`Rename ${passkey.name}`}
                      onClick={() => setOpen({ what: "rename", passkey })}
                    >
                      Rename
                    </Button>
                    <Button
                      size="sm"
                      variant="quietDanger"
                      aria-label={`Remove ${passkey.name}…`}
                      onClick={() => setOpen({ what: "remove", passkey })}
                    >
                      Remove…
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          ) : null}
        </>
      )}
      {listed && open?.what === "add" ? <Add proof={listed.proof} onClose={close} /> : null}
      {open?.what === "rename" ? <Rename passkey={open.passkey} onClose={close} /> : null}
      {listed && open?.what === "remove" ? (
        <Remove passkey={open.passkey} proof={listed.proof} onClose={close} />
      ) : null}
    </Card>
  );
}

/** Why none can be added; null: nothing is in the way. */
function whyNot(
  listed: { possible: boolean; allowed: boolean; proof: Proof },
  hydrated: boolean,
): string | null {
  if (!listed.allowed) return "Your organisation doesn't allow passkeys.";
  if (!listed.possible)
    return "Passkeys need a secure address (https), which this installation doesn't have.";
  if (!listed.proof.password) return "You sign in through your organisation’s identity provider.";
  if (hydrated && !("PublicKeyCredential" in window)) return "This browser doesn't support passkeys.";
  return null;
}

const addSchema = startPasskeySchema.extend({ name: addPasskeySchema.shape.name });

function Add({ proof, onClose }: { proof: Proof; onClose: () => void }) {
  const trpc = useTRPC();
  const start = useMutation(trpc.passkeys.start.mutationOptions());
  const add = useMutation(trpc.passkeys.add.mutationOptions());
  const form = useOperationForm({
    schema: addSchema,
    defaultValues: { name: describeBrowser(navigator.userAgent).name, password: "", code: "" },
    input: (values) => values,
    send: async ({ name, password, code }) => {
      const optionsJSON = await start.mutateAsync({ password, code });
      const { startRegistration } = await import("@simplewebauthn/browser");
      let attestation: Awaited<ReturnType<typeof startRegistration>>;
      try {
        attestation = await startRegistration({ optionsJSON });
      } catch (error) {
        toast.error(whyNotMade(error));
        return;
      }
      await add.mutateAsync({ name, attestation });
      toast.success("Passkey added");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Add passkey"
      description="Sign in without a password or code. Your browser asks where to save the passkey."
      submitLabel="Continue"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        hint="To recognise it later, such as the name of the device."
        maxLength={passkeyLimits.name}
        required
      />
      <ProofFields form={form} code={proof.code} />
    </FormDialog>
  );
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const trpc = useTRPC();
  const rename = useMutation(trpc.passkeys.rename.mutationOptions());
  const form = useOperationForm({
    schema: renamePasskeySchema,
    defaultValues: { name: passkey.name },
    input: ({ name }) => ({ id: passkey.id, name }),
    send: async (input) => {
      await rename.mutateAsync(input);
      toast.success("Passkey renamed");
      onClose();
    },
  });
  return (
    <FormDialog form={form} title="Rename passkey" submitLabel="Rename" onClose={onClose}>
      <TextField {...form.field("name")} label="Name" maxLength={passkeyLimits.name} required autoFocus />
    </FormDialog>
  );
}

function Remove({ passkey, proof, onClose }: { passkey: Passkey; proof: Proof; onClose: () => void }) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.passkeys.remove.mutationOptions());
  const form = useOperationForm({
    schema: removePasskeySchema,
    defaultValues: { password: "", code: "" },
    input: (values) => ({ id: passkey.id, ...values }),
    send: async (input) => {
      await remove.mutateAsync(input);
      toast.success("Passkey removed. Other sessions were signed out");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Remove “${passkey.name}”`}
      description="It can no longer be used to sign in, and your other sessions are signed out. Delete it on your device as well."
      submitLabel="Remove"
      danger
      onClose={onClose}
    >
      <ProofFields form={form} code={proof.code} />
    </FormDialog>
  );
}

function whyNotMade(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (name === "NotAllowedError" || name === "AbortError") return "The passkey was not created.";
  return errorText(error);
}
