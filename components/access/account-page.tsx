"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Laptop, Smartphone } from "lucide-react";
import { signOut } from "./sign-out.ts";
import { toast } from "../ui/toast.ts";
import { changePasswordSchema } from "../../server/access/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { FormRefusal, TextField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { describeBrowser } from "./describe-browser.ts";
import { NewPasswordFormField } from "./new-password-field.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";

export function AccountPage() {
  const { user } = usePortal();
  return (
    <PageFrame className="max-w-3xl">
      <PageHeader title="Sessions and sign-in" description={user.email} environmentScoped={false} />
      <SecondFactorCard />
      <PasskeysCard />
      <Sessions />
      <ChangePassword />
    </PageFrame>
  );
}

function Sessions() {
  const trpc = useTRPC();
  const query = useQuery(trpc.sessions.list.queryOptions());
  const refresh = useRefresh("sessions");
  const onError = (error: unknown) => toast.error(errorText(error));
  const revoke = useMutation(
    trpc.sessions.revoke.mutationOptions({
      onSuccess: async () => {
        toast.success("Signed out");
        await refresh();
      },
      onError,
    }),
  );
  const revokeOthers = useMutation(
    trpc.sessions.revokeAll.mutationOptions({
      onSuccess: async ({ revoked }) => {
        toast.success(revoked === 0 ? "No other sessions" : `${plural(revoked, "session")} ended`);
        await refresh();
      },
      onError,
    }),
  );
  const sessions = query.data?.data;

  return (
    <Card className="mb-4" aria-busy={query.isPending}>
      <CardHeader
        title="Where you are signed in"
        description="Sign out a browser you no longer use. It takes effect within seconds."
        actions={
          sessions && sessions.length > 1 ? (
            <Button
              size="sm"
              pending={revokeOthers.isPending}
              onClick={() => revokeOthers.mutate({ keepCurrent: true })}
            >
              Sign out all others
            </Button>
          ) : null
        }
      />
      {query.isError && !sessions ? (
        <QueryFailed what="sessions" query={query} />
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {(sessions ?? [undefined, undefined]).map((session, index) => {
            if (!session) {
              return (
                <li key={index} className="grid gap-2 px-4 py-3.5">
                  <Skeleton className="w-48" />
                  <Skeleton className="h-3 w-64" />
                </li>
              );
            }
            const browser = describeBrowser(session.userAgent);
            const Icon = browser.mobile ? Smartphone : Laptop;
            return (
              <li key={session.id} className="flex items-center gap-3 px-4 py-3">
                <Icon className="size-5 shrink-0 text-ink-faint" strokeWidth={1.75} aria-hidden />
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
                    {browser.name}
                    {session.current ? <Badge tone="accent">This session</Badge> : null}
                  </p>
                  <p className="text-xs text-ink-muted">
                    {session.ip ? `${session.ip}, ` : ""}
                    active <RelativeTime value={session.lastSeenAt} />, signed in{" "}
                    <AbsoluteTime value={session.createdAt} />
                  </p>
                </div>
                <Button
                  size="sm"
                  disabled={revoke.isPending}
                  onClick={() => {
                    if (session.current) void signOut();
                    else revoke.mutate({ id: session.id });
                  }}
                >
                  {session.current ? "Sign out" : "End"}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

function ChangePassword() {
  const trpc = useTRPC();
  const refresh = useRefresh("sessions");
  const change = useMutation(trpc.sessions.changePassword.mutationOptions());
  const form = useOperationForm({
    schema: changePasswordSchema,
    defaultValues: { current: "", next: "" },
    input: (values) => values,
    send: async (input) => {
      await change.mutateAsync(input);
      toast.success("Password changed. Other sessions were signed out");
      form.reset();
      await refresh();
    },
  });

  return (
    <Card>
      <CardHeader title="Password" description="Changing your password signs out your other sessions." />
      <form noValidate onSubmit={form.submit} className="grid max-w-sm gap-4 px-4 pb-4">
        {form.refusal ? <FormRefusal refusal={form.refusal} /> : null}
        <TextField
          {...form.field("current")}
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPasswordFormField {...form.field("next")} label="New password" />
        <Button type="submit" variant="primary" pending={form.pending} className="justify-self-start">
          Change password
        </Button>
      </form>
    </Card>
  );
}
