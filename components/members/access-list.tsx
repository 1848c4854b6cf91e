"use client";

import type { inferRouterOutputs } from "@trpc/server";
import { permissionTexts } from "../../server/access/vocabulary.ts";
import type { AppRouter } from "../../server/trpc/root.ts";
import { AbsoluteTime } from "../ui/time.tsx";
import { usePlaceName } from "./use-grantable.ts";

export type Access = inferRouterOutputs<AppRouter>["members"]["access"];

/** What somebody may do, and why: each permission with the roles that it comes from, where, from whom and since when. */
export function AccessList({ access }: { access: Access }) {
  const placeName = usePlaceName();
  const groups = Object.entries(
    Object.groupBy(access.permissions, ({ permission }) => permissionTexts[permission].group),
  );
  if (groups.length === 0) return <p className="text-sm text-ink-muted">Nothing. They have no role.</p>;
  return (
    <div className="grid gap-4">
      {groups.map(([group, held = []]) => (
        <section key={group}>
          <h4 className="mb-1 text-xs font-medium text-ink-muted">{group}</h4>
          <ul className="divide-y divide-line rounded-md border border-line">
            {held.map(({ permission, from }) => (
              <li key={permission} className="px-3 py-2 text-sm">
                <p className="font-medium">{permissionTexts[permission].name}</p>
                <p className="text-xs text-ink-muted">{permissionTexts[permission].explanation}</p>
                <ul className="mt-1 grid gap-0.5 text-xs">
                  {access.assignments
                    .filter(({ id }) => from.includes(id))
                    .map((each) => (
                      <li key={each.id}>
                        as <span className="font-medium">{each.role.name}</span>,{" "}
                        {placeName(each.unitId).replace("Whole", "whole")}
                        <span className="text-ink-muted">
                          {each.grantedBy ? ` – assigned by ${each.grantedBy}` : " – assigned"},{" "}
                          <AbsoluteTime value={each.grantedAt} />
                        </span>
                      </li>
                    ))}
                </ul>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
