"use client";

import { Plus } from "lucide-react";
import { usePortal } from "../portal/portal-context.tsx";
import { newTemplatePath } from "../templates/library/new-template-path.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";

/** A way to the message that is missing, and there to its type; nothing for whoever may not write templates. */
export function CreateTemplate({ application }: { application: string }) {
  const { applications, canIn, href } = usePortal();
  const known = applications.find((each) => each.name === application);
  if (!known || !canIn("templates:write", known.unitId)) return null;
  return (
    <Button asChild size="sm">
      <Link href={href(...newTemplatePath({ application }))}>
        <Plus aria-hidden /> Create template
      </Link>
    </Button>
  );
}
