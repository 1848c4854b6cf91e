"use client";

import { useMutation, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { z } from "zod";
import { bothFactorsSchema } from "../../server/access/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { ProofFields } from "./proof-fields.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SecondFactorSetUp } from "./second-factor-set-up.tsx";
import type { SetUpWays } from "./second-factor-set-up.tsx";
import { usePortalWays } from "./use-portal-ways.ts";

/** The reader's second factor in the portal. */
export function SecondFactorCard() {
  const trpc = useTRPC();
  const ways: SecondFactorWays = {
    ...usePortalWays(),
    renew: useMutation(trpc.secondFactor.renewRecoveryCodes.mutationOptions()).mutateAsync,
    remove: useMutation(trpc.secondFactor.remove.mutationOptions()).mutateAsync,
  };
  const query = useQuery(trpc.secondFactor.get.queryOptions());
  return <SecondFactorPanel query={query} ways={ways} refresh={useRefresh("secondFactor", "sessions")} />;
}

type Factor = { since: Date | null; recoveryCodes: number; hasPassword: boolean };

/** How a second factor is set up, renewed and removed: members and operators each have a door of their own. */
export interface SecondFactorWays extends SetUpWays {
  renew: (input: z.input<typeof bothFactorsSchema>) => Promise<{ recoveryCodes: string[] }>;
  remove: (input: z.input<typeof bothFactorsSchema>) => Promise<unknown>;
}

/** The reader's second factor: whether there is one, and what they can do about it. */
export function SecondFactorPanel({
  query,
  ways,
  refresh,
}: {
  query: Pick<UseQueryResult<Factor, unknown>, "data" | "isPending" | "isError" | "error" | "refetch">;
  ways: SecondFactorWays;
  refresh: () => Promise<unknown>;
}) {
  const [open, setOpen] = useState<"set-up" | "codes" | "remove" | null>(null);
  const factor = query.data;
  // Shown this once: then only the button closes the dialog, no click beside it and no key.
  const [codesShown, setCodesShown] = useState(false);
  const close = () => {
    setOpen(null);
    setCodesShown(false);
    void refresh();
  };
  return (
    <Card className="mb-4" aria-busy={query.isPending}>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-2">
            Second factor
            {factor?.since ? <Badge tone="success">On</Badge> : null}
          </span>
        }
        description="A code from an authenticator app, in addition to your password."
        actions={
          factor && !factor.since && factor.hasPassword ? (
            <Button size="sm" onClick={() => setOpen("set-up")}>
              Set up
            </Button>
          ) : null
        }
      />
      {query.isError && !factor ? (
        <QueryFailed what="the second factor" query={query} />
      ) : !factor ? (
        <div className="px-4 pb-4">
          <Skeleton className="w-56" />
        </div>
      ) : factor.since ? (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
          <p className="text-sm text-ink-muted">
            Since <AbsoluteTime value={factor.since} />.{" "}
            <span className={factor.recoveryCodes < 3 ? "text-warning-text" : undefined}>
              {factor.recoveryCodes === 0
                ? "No recovery codes left."
                : `${plural(factor.recoveryCodes, "recovery code")} left.`}
            </span>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => setOpen("codes")}>
              New recovery codes
            </Button>
            <Button size="sm" variant="quietDanger" onClick={() => setOpen("remove")}>
              Remove…
            </Button>
          </div>
        </div>
      ) : factor.hasPassword ? null : (
        <p className="px-4 pb-4 text-sm text-ink-muted">
          You sign in through your organisation’s identity provider; a second factor is set up there.
        </p>
      )}
      {open === "set-up" ? (
        <Dialog
          open
          onClose={codesShown ? undefined : close}
          title="Set up second factor"
          className="max-w-xl"
        >
          <SecondFactorSetUp
            ways={ways}
            doneLabel="I've saved them"
            onCodes={() => setCodesShown(true)}
            onDone={() => {
              toast.success("Second factor switched on. Other sessions were signed out");
              close();
            }}
          />
        </Dialog>
      ) : null}
      {open === "codes" ? <NewCodes renew={ways.renew} onClose={close} /> : null}
      {open === "remove" ? <Remove remove={ways.remove} onClose={close} /> : null}
    </Card>
  );
}

function NewCodes({ renew, onClose }: { renew: SecondFactorWays["renew"]; onClose: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useOperationForm({
    schema: bothFactorsSchema,
    defaultValues: { password: "", code: "" },
    input: (values) => values,
    send: async (input) => setCodes((await renew(input)).recoveryCodes),
  });
  return (
    <FormDialog
      form={form}
      title="New recovery codes"
      description={codes ? undefined : "Your current codes stop working."}
      submitLabel="Create codes"
      onClose={onClose}
      mustAnswer={codes !== null}
      result={
        codes
          ? {
              body: <RecoveryCodes codes={codes} />,
              footer: (
                <Button variant="primary" onClick={onClose}>
                  I've saved them
                </Button>
              ),
            }
          : null
      }
    >
      <ProofFields form={form} code />
    </FormDialog>
  );
}

function Remove({ remove, onClose }: { remove: SecondFactorWays["remove"]; onClose: () => void }) {
  const form = useOperationForm({
    schema: bothFactorsSchema,
    defaultValues: { password: "", code: "" },
    input: (values) => values,
    send: async (input) => {
      await remove(input);
      toast.success("Second factor removed");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Remove second factor"
      description="You then sign in with your password alone. Your recovery codes stop working."
      submitLabel="Remove"
      danger
      onClose={onClose}
    >
      <ProofFields form={form} code />
    </FormDialog>
  );
}
