"use client";

import { useRouter } from "next/navigation";
import { parseAsString, useQueryState, useQueryStates } from "nuqs";
import type { BrandMark } from "../../server/workspace/vocabulary.ts";
import { createContext, useCallback, useContext, useEffect, useMemo, type ReactNode } from "react";
import { leave, leaveAll } from "../ui/leaving.ts";

export type EnvironmentKind = "production" | "nonproduction" | "sandbox";
export type PortalEnvironment = { id: string; slug: string; name: string; kind: EnvironmentKind };
export type PortalUnit = { id: string; slug: string; name: string };
/** `name` is what requests carry, `title` what people read. */
export type PortalApplication = {
  id: string;
  name: string;
  title: string;
  unitId: string;
  defaultRegion: string;
  defaultLanguage: string;
  /** Ids of the environments of its pipeline, first stage first. */
  stages: readonly string[];
  /** Not used any more: it is offered nowhere, and what it sent keeps its name. */
  archived: boolean;
};

/** Who is signed in, where, and what they may see. Comes from the server with the page. */
export type PortalData = {
  tenant: { id: string; slug: string; name: string };
  /** How the organisation looks; null: like the product. */
  brand: BrandMark;
  user: { id: string; name: string; email: string };
  environments: readonly PortalEnvironment[];
  units: readonly PortalUnit[];
  applications: readonly PortalApplication[];
  permissions: readonly string[];
  /** The same by place: in the whole tenant (`unitId` null) and in each visible team. */
  permissionsByUnit: readonly { unitId: string | null; permissions: readonly string[] }[];
  /** When the server drew the page, in milliseconds since 1970; see useDrawnAt(). */
  drawnAt: number;
  /** True when the quickstart's local mail server can be shown. */
  hasMailbox: boolean;
  /** Those that this browser is signed in to, this one included. */
  organisations: readonly { slug: string; name: string }[];
  /** True when there are more than this one, in which the reader may have an account, too. */
  otherOrganisations: boolean;
};

const PortalContext = createContext<PortalData | null>(null);

export function PortalProvider({ value, children }: { value: PortalData; children: ReactNode }) {
  return <PortalContext value={value}>{children}</PortalContext>;
}

export function usePortalData(): PortalData {
  const value = useContext(PortalContext);
  if (!value) throw new Error("usePortalData needs a PortalProvider above it");
  return value;
}

/** Production first, because that is where questions come from; then the order of the tenant. */
function defaultEnvironment(environments: readonly PortalEnvironment[]): PortalEnvironment | undefined {
  return environments.find((each) => each.kind === "production") ?? environments[0];
}

const scopeParameters = {
  env: parseAsString,
  unit: parseAsString,
  cursor: parseAsString,
  open: parseAsString,
};
/** A place in a list and an open row belong to the environment and unit that are left. */
const elsewhere = { cursor: null, open: null };

/** Lists that pages about one thing of an environment belong to, as long as they are shown. */
const lists: string[] = [];

/** The environment and unit named in the URL (`?env=…&unit=…`), so that a link shows a colleague the same thing. */
export function usePortal() {
  const data = usePortalData();
  const router = useRouter();
  const [{ env: environmentSlug, unit: unitSlug }, setScope] = useQueryStates(scopeParameters, {
    history: "push",
  });

  const named = data.environments.find((each) => each.slug === environmentSlug);
  const environment = named ?? defaultEnvironment(data.environments);
  if (!environment) throw new Error("the tenant has no environment");
  const unit = data.units.find((each) => each.slug === unitSlug) ?? null;
  /** What the address names and is not there: what it leads to is shown in place of it. */
  const unknown = {
    environment: environmentSlug && !named ? environmentSlug : null,
    unit: unitSlug && !unit ? unitSlug : null,
  };
  const applications = useMemo(
    () => data.applications.filter((each) => !each.archived && (unit === null || each.unitId === unit.id)),
    [data.applications, unit],
  );

  /** Address inside this tenant that keeps environment and unit. `path` starts with a slash. */
  const href = useCallback(
    (path: string, query: Record<string, string | undefined | null> = {}) => {
      const search = new URLSearchParams();
      if (environmentSlug) search.set("env", environmentSlug);
      if (unitSlug) search.set("unit", unitSlug);
      for (const [key, value] of Object.entries(query)) {
        if (value) search.set(key, value);
        else search.delete(key);
      }
      const text = search.toString();
      return `/${data.tenant.slug}${path}${text === "" ? "" : `?${text}`}`;
    },
    [data.tenant.slug, environmentSlug, unitSlug],
  );

  const can = useCallback((permission: string) => data.permissions.includes(permission), [data.permissions]);
  /** `can` asks whether it is allowed somewhere; this asks about one team, null being the whole tenant. */
  const canIn = useCallback(
    (permission: string, unitId: string | null) =>
      data.permissionsByUnit.find((each) => each.unitId === unitId)?.permissions.includes(permission) ??
      false,
    [data.permissionsByUnit],
  );

  /** To another environment: on the same page or, from one thing of this environment, to the list of such things there. */
  const setEnvironment = useCallback(
    (env: string) => {
      const stay = () => void setScope({ env, ...elsewhere });
      const list = lists.at(-1);
      // The one that is shown already, under its name or in place of one that isn't there.
      if (env === environment.slug) stay();
      else if (list === undefined) leave(stay);
      else leaveAll(() => router.push(href(list, { env })));
    },
    [environment.slug, href, router, setScope],
  );
  const setUnit = useCallback((slug: string | null) => setScope({ unit: slug, ...elsewhere }), [setScope]);

  return { ...data, applications, environment, unit, unknown, setEnvironment, setUnit, href, can, canIn };
}

/**
 * For a page about one thing, whose address names the thing only: shows it under the name and colour of the environment it is in, so that
 * what is of the sandbox is not called production, nor the other way round.
 * @param slug undefined while it is not known
 * @param list path of the page with all such things: another environment leads there
 */
export function useEnvironmentOf(slug: string | undefined, list: string): void {
  const { environment, environments } = usePortal();
  const [, setEnvironment] = useQueryState("env", parseAsString.withOptions({ history: "replace" }));
  const other =
    slug !== environment.slug && environments.some((each) => each.slug === slug) ? slug : undefined;
  useEffect(() => {
    if (other !== undefined) void setEnvironment(other);
  }, [other, setEnvironment]);
  useEffect(() => {
    lists.push(list);
    return () => {
      lists.splice(lists.lastIndexOf(list), 1);
    };
  }, [list]);
}
