"use client";

import { Archive, ArchiveRestore, Copy, Ellipsis, Pencil } from "lucide-react";
import { usePortal } from "../../portal/portal-context.tsx";
import { Button } from "../../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { Link } from "../../ui/link.tsx";
import { audienceText } from "../audience.ts";
import type { TemplateFacts } from "./types.ts";
import { useMay } from "./use-may.ts";

export type TemplateAction = (action: "duplicate" | "archive" | "restore", template: TemplateFacts) => void;

/** What can be done with one template, beside it. Not there for whoever may only read. */
export function TemplateMenu({
  template,
  onAction,
  withEdit = true,
}: {
  template: TemplateFacts;
  onAction: TemplateAction;
  withEdit?: boolean;
}) {
  const { href } = usePortal();
  const may = useMay();
  if (!may("templates:write", template.applicationId)) return null;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="iconSm"
          aria-label={`Actions for ${template.name}, ${template.channel}, ${audienceText(template)}`}
        >
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {template.archivedAt === null ? (
          <>
            {withEdit ? (
              <DropdownMenuItem asChild>
                <Link href={href(`/templates/${template.id}/edit`)}>
                  <Pencil aria-hidden /> Edit
                </Link>
              </DropdownMenuItem>
            ) : null}
            <DropdownMenuItem onSelect={() => onAction("duplicate", template)}>
              <Copy aria-hidden /> Duplicate…
            </DropdownMenuItem>
            <DropdownMenuSeparator />
            <DropdownMenuItem danger onSelect={() => onAction("archive", template)}>
              <Archive aria-hidden /> Archive…
            </DropdownMenuItem>
          </>
        ) : (
          <>
            <DropdownMenuItem onSelect={() => onAction("restore", template)}>
              <ArchiveRestore aria-hidden /> Restore
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => onAction("duplicate", template)}>
              <Copy aria-hidden /> Duplicate…
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
