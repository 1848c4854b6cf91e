"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus, UserCheck, UserMinus, UserX, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { named } from "../ui/isolated.ts";
import { AccessList, type Access } from "./access-list.tsx";
import { usePlaceName } from "./use-grantable.ts";

const EndMembershipDialog = dynamic(() =>
  import("./end-membership-dialog.tsx").then((module) => module.EndMembershipDialog),
);
const GiveRoleDialog = dynamic(() =>
  import("./give-role-dialog.tsx").then((module) => module.GiveRoleDialog),
);

/** One member beside the list: their roles, what they may do and why, and what can be done about it. */
export function MemberPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { user, canIn } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("members", "apiKeys");
  const query = useQuery(trpc.members.access.queryOptions({ userId: id }));
  const [asked, setAsked] = useState<"give" | "remove" | "suspend" | null>(null);
  const access = query.data;
  const member = access?.member;
  useShortcut("Escape", onClose, { label: "Close panel", enabled: asked === null });
  const reactivate = useMutation(
    trpc.members.reactivate.mutationOptions({
      onSuccess: async () => {
        toast.success(`${named(member?.name ?? "")} can sign in again`);
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const mayEnd = canIn("members:manage", null) && member !== undefined && id !== user.id;

  return (
    <>
      <Sheet
        open
        onClose={onClose}
        title={named(member?.name ?? "Member")}
        subtitle={
          member ? (
            <span className="flex flex-wrap items-center gap-2">
              <span className="break-all">{member.email}</span>
              {member.suspendedAt ? (
                <Badge tone="warning">{member.deactivated ? "Deactivated" : "Suspended"}</Badge>
              ) : null}
            </span>
          ) : undefined
        }
      >
        {query.isError && !access ? (
          <QueryFailed what="this member" query={query} />
        ) : !access ? (
          <div className="grid gap-3 px-5 py-4">
            <Skeleton className="w-40" />
            <Skeleton className="h-16 w-full" />
            <Skeleton className="h-40 w-full" />
          </div>
        ) : (
          <>
            <Section
              title="Roles"
              actions={
                <Button size="sm" onClick={() => setAsked("give")}>
                  <Plus aria-hidden /> Assign role
                </Button>
              }
            >
              <Assignments access={access} />
              {access.partial ? (
                <p className="mt-2 text-xs text-ink-muted">
                  Roles outside the teams you manage are not shown.
                </p>
              ) : null}
            </Section>
            <Section title="What they can do and why">
              <AccessList access={access} />
            </Section>
            {mayEnd ? (
              <Section title="Access">
                <p className="mb-3 text-sm text-ink-muted">
                  {access.member.suspendedAt && access.member.deactivated ? (
                    <>
                      Deactivated by your directory since <AbsoluteTime value={access.member.suspendedAt} />.
                      They can't sign in and their API keys don't work. Reactivate them in your directory.
                    </>
                  ) : access.member.suspendedAt ? (
                    <>
                      Suspended since <AbsoluteTime value={access.member.suspendedAt} />. They can't sign in
                      and their API keys don't work.
                    </>
                  ) : (
                    <>
                      Member since <AbsoluteTime value={access.member.createdAt} />. Suspending blocks access
                      for a while. Removing ends it.
                    </>
                  )}
                </p>
                <div className="flex flex-wrap gap-2">
                  {access.member.deactivated ? null : access.member.suspendedAt ? (
                    <Button pending={reactivate.isPending} onClick={() => reactivate.mutate({ userId: id })}>
                      <UserCheck aria-hidden /> Reactivate
                    </Button>
                  ) : (
                    <Button onClick={() => setAsked("suspend")}>
                      <UserX aria-hidden /> Suspend…
                    </Button>
                  )}
                  <Button onClick={() => setAsked("remove")}>
                    <UserMinus aria-hidden /> Remove…
                  </Button>
                </div>
              </Section>
            ) : null}
          </>
        )}
      </Sheet>
      {member && asked === "give" ? <GiveRoleDialog member={member} onClose={() => setAsked(null)} /> : null}
      {member && (asked === "remove" || asked === "suspend") ? (
        <EndMembershipDialog
          member={member}
          how={asked}
          onClose={(ended) => {
            setAsked(null);
            if (ended && asked === "remove") onClose();
          }}
        />
      ) : null}
    </>
  );
}

function Assignments({ access }: { access: Access }) {
  const { canIn } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("members", "roles");
  const placeName = usePlaceName();
  const [taking, setTaking] = useState<Access["assignments"][number] | null>(null);
  const unassign = useMutation(
    trpc.members.unassignRole.mutationOptions({
      onSuccess: async () => {
        toast.success(`${named(access.member.name)} has one role less`);
        setTaking(null);
        await refresh();
      },
      onError: (error) => {
        setTaking(null);
        toast.error(errorText(error));
      },
    }),
  );
  if (access.assignments.length === 0) {
    return <p className="text-sm text-ink-muted">No roles. They can sign in but see nothing.</p>;
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-md border border-line">
        {access.assignments.map((each) => (
          <li key={each.id} className="flex items-center gap-3 px-3 py-2 text-sm">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{each.role.name}</span>
              <span className="block text-xs text-ink-muted">
                {placeName(each.unitId)}
                {each.grantedBy ? `, assigned by ${each.grantedBy}` : ""},{" "}
                <AbsoluteTime value={each.grantedAt} />
              </span>
            </span>
            {each.fromDirectory || each.fromProvider ? (
              <Badge>{each.fromDirectory ? "Directory" : "Single sign-on"}</Badge>
            ) : canIn("members:manage", each.unitId) ? (
              <Button
                variant="ghost"
                size="iconSm"
                aria-label={`Take away ${each.role.name}, ${placeName(each.unitId)}`}
                onClick={() => setTaking(each)}
              >
                <X aria-hidden />
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={taking !== null}
        onClose={() => setTaking(null)}
        title={`Take “${taking?.role.name ?? ""}” from ${named(access.member.name)}?`}
        confirmLabel="Remove role"
        pending={unassign.isPending}
        onConfirm={() => taking && unassign.mutate({ userId: access.member.id, assignmentId: taking.id })}
      >
        Takes effect immediately, even where they are signed in: {taking ? placeName(taking.unitId) : ""}. You
        can assign it again.
      </ConfirmDialog>
    </>
  );
}
