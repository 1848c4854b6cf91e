"use client";

import { Lock } from "lucide-react";
import { permissionTexts } from "../../server/access/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { visibleNavigation } from "./navigation.ts";
import type { PageAccess } from "./page-access.ts";

/** In place of a page that the reader's role does not include: what it is, and what to ask for. */
export default function NoAccess({ access }: { access: PageAccess }) {
  const portal = usePortal();
  const { tenant, href } = portal;
  const elsewhere = visibleNavigation(portal).find((item) => !item.external);
  const names = access.any.map((permission) => `“${permissionTexts[permission].name}”`).join(" or ");
  return (
    <NothingYet
      icon={Lock}
      title={`You don't have access to ${access.what}`}
      action={
        elsewhere ? (
          <Button asChild>
            <Link href={href(elsewhere.path)}>Go to {elsewhere.label}</Link>
          </Button>
        ) : null
      }
    >
      Ask an administrator of {tenant.name} for a role with the permission {names}
      {access.everywhere ? " in the whole organisation" : ""}.
    </NothingYet>
  );
}
