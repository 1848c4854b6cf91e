"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../../server/trpc/root.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";

export type ListedRole = inferRouterOutputs<AppRouter>["roles"]["list"]["data"][number];

/** Choices of a menu stand for a place by a text. */
export const everywhere = "everywhere";
export const unitOf = (place: string): string | null => (place === everywhere ? null : place);

/** Where the reader may give roles, and which ones there: nobody gives what they do not have. */
export function useGrantable() {
  const { units, canIn } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(trpc.roles.list.queryOptions());
  const roles = query.data?.data;
  const places = [
    ...(canIn("members:manage", null) ? [{ value: everywhere, label: "Whole organisation" }] : []),
    ...units
      .filter((unit) => canIn("members:manage", unit.id))
      .map((unit) => ({ value: unit.id, label: unit.name })),
  ];
  const mayGive = (role: ListedRole, place: string) =>
    role.permissions.every((permission) => canIn(permission, unitOf(place)));
  /** All roles for a menu; those that are beyond the reader cannot be chosen. */
  const roleOptions = (place: string) =>
    (roles ?? []).map((role) => ({
      value: role.key,
      label: role.name,
      disabled: !mayGive(role, place),
      ...(mayGive(role, place) ? {} : { hint: "more than you have" }),
    }));
  return { query, roles, places, roleOptions };
}

/** What a place is called. */
export function usePlaceName(): (unitId: string | null) => string {
  const { units } = usePortal();
  return (unitId) =>
    unitId === null ? "Whole organisation" : (units.find((each) => each.id === unitId)?.name ?? "–");
}
