"use client";

import { ChevronDown, Plus } from "lucide-react";
import { mjmlRoot } from "../../../server/template-language/mjml-root.ts";
import { Button } from "../../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { mailBlocks, type MailBlock } from "./blocks.ts";
import { fitsInText } from "./mjml-document.ts";

/** The parts of a mail, each inserted as MJML by one click. An HTML body becomes MJML by that, if it can. */
export function InsertBlockMenu({
  body,
  isMjml,
  disabled,
  onInsert,
}: {
  body: string;
  isMjml: boolean;
  disabled: boolean;
  onInsert: (block: MailBlock) => void;
}) {
  const converts = !isMjml && body.trim() !== "";
  const fits = isMjml || mjmlRoot(body) !== null || fitsInText(body);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="sm" disabled={disabled}>
          <Plus aria-hidden /> Insert block <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="max-w-64">
        {converts ? (
          <p className="px-2 pt-1 pb-1.5 text-xs text-ink-muted">
            {fits
              ? "Blocks are MJML: inserting one switches this body to MJML. Your HTML becomes its text."
              : "Blocks are MJML. This body is a whole HTML document, so it can’t be switched."}
          </p>
        ) : null}
        {mailBlocks.map((block) => (
          <DropdownMenuItem key={block.id} disabled={!fits} onSelect={() => onInsert(block)}>
            {block.label}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
