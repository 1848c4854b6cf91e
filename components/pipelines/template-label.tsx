import { ChannelMark } from "../messages/channel.tsx";
import { audienceText } from "../templates/audience.ts";
import { cn } from "../ui/cn.ts";

type Named = {
  name: string;
  channel: string;
  region: string | null;
  language: string | null;
  provider: string | null;
};

/** A template in a list: channel, name and for whom it is. */
export function TemplateLabel({ template, className }: { template: Named; className?: string }) {
  return (
    <span className={cn("flex min-w-0 items-center gap-2 text-sm", className)}>
      <ChannelMark channel={template.channel} iconOnly />
      <span className="truncate font-medium">{template.name}</span>
      <span className="shrink-0 truncate text-xs text-ink-muted">{audienceText(template)}</span>
    </span>
  );
}

/** The same in one line of text, for names of controls. */
export function templateText(template: Named): string {
  return `${template.name}, ${template.channel}, ${audienceText(template)}`;
}
