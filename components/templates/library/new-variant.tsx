"use client";

import { ChevronDown, Plus } from "lucide-react";
import { ChannelIcon, channelLabel, channels } from "../../messages/channel.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { Button } from "../../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { Link } from "../../ui/link.tsx";
import { newTemplatePath } from "./new-template-path.ts";
import type { TemplateGroup } from "./types.ts";

/** Starts a variant from the first text of a channel; where there are several channels it asks which. */
export function NewVariant({ group }: { group: TemplateGroup }) {
  const { href } = usePortal();
  const sources = channels.flatMap((channel) => {
    const source = group.variants.find((each) => each.channel === channel);
    return source ? [source] : [];
  });
  const pathOf = (source: (typeof sources)[number] | undefined) =>
    href(...newTemplatePath({ ...group, channel: source?.channel ?? null, from: source?.id ?? null }));
  if (sources.length < 2) {
    return (
      <Button asChild variant="primary">
        <Link href={pathOf(sources[0])}>
          <Plus aria-hidden /> New variant
        </Link>
      </Button>
    );
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="primary">
          <Plus aria-hidden /> New variant <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {sources.map((source) => (
          <DropdownMenuItem asChild key={source.channel}>
            <Link href={pathOf(source)}>
              <ChannelIcon channel={source.channel} /> {channelLabel(source.channel)}
            </Link>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
