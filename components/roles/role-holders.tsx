"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, MailPlus, User, UsersRound } from "lucide-react";
import { LoadMore } from "../data-table/load-more.tsx";
import { usePlaceName } from "../members/use-grantable.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const icons = { member: User, key: KeyRound, invitation: MailPlus, group: UsersRound };

/** Who has a role, and where; each leads to where it can be taken away. */
export function RoleHolders({ roleKey }: { roleKey: string }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const placeName = usePlaceName();
  const query = useInfiniteQuery(
    trpc.roles.holders.infiniteQueryOptions(
      { key: roleKey },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const holders = query.data?.pages.flatMap((page) => page.data);
  if (query.isError && !holders) {
    return <QueryFailed what="who has it" query={query} />;
  }
  if (!holders) return <Skeleton className="h-16 w-full" />;
  if (holders.length === 0) return <p className="text-sm text-ink-muted">Nobody has this role.</p>;
  const target = {
    member: (id: string) => href("/members", { open: id }),
    key: () => href("/api-keys"),
    invitation: () => href("/members", { tab: "invitations" }),
    group: () => href("/settings/directory"),
  };
  return (
    <>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto rounded-md border border-line text-sm">
        {holders.map(({ id, kind, holderId, name, unitId, suspended }) => {
          const Icon = icons[kind];
          return (
            <li key={id} className="flex items-center gap-2.5 px-3 py-2">
              <Icon className="size-4 shrink-0 text-ink-faint" aria-hidden />
              <Link
                href={target[kind](holderId)}
                className="min-w-0 flex-1 truncate font-medium hover:underline"
              >
                {name}
              </Link>
              <span className="text-xs text-ink-muted">
                {kind === "key"
                  ? "API key"
                  : kind === "invitation"
                    ? "invited"
                    : kind === "group"
                      ? `group or rule, ${placeName(unitId)}`
                      : placeName(unitId)}
                {suspended ? ", suspended" : ""}
              </span>
            </li>
          );
        })}
      </ul>
      <LoadMore query={query} />
    </>
  );
}
