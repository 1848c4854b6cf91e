import { Mail, MessageCircle, MessageSquare, type LucideIcon } from "lucide-react";
import type { Channel } from "../../server/kernel/channel.ts";
import { cn } from "../ui/cn.ts";

/** In the order of the menus. */
export const channels = ["email", "sms", "whatsapp"] as const satisfies readonly Channel[];

const faces: Record<Channel, { label: string; icon: LucideIcon }> = {
  email: { label: "E-mail", icon: Mail },
  sms: { label: "SMS", icon: MessageSquare },
  whatsapp: { label: "WhatsApp", icon: MessageCircle },
};

export function channelLabel(channel: string): string {
  return (faces as Record<string, { label: string }>)[channel]?.label ?? channel;
}

export function ChannelIcon({ channel, className }: { channel: string; className?: string }) {
  const Icon = (faces as Record<string, { icon: LucideIcon }>)[channel]?.icon ?? MessageSquare;
  return <Icon className={cn("size-4 shrink-0 text-ink-faint", className)} strokeWidth={1.85} aria-hidden />;
}

/** Icon and word; the word goes to screen readers only when space is short. */
export function ChannelMark({
  channel,
  iconOnly,
  className,
}: {
  channel: string;
  iconOnly?: boolean;
  className?: string;
}) {
  return (
    <span
      className={cn("inline-flex items-center gap-1.5", className)}
      title={iconOnly ? channelLabel(channel) : undefined}
    >
      <ChannelIcon channel={channel} />
      <span className={iconOnly ? "sr-only" : undefined}>{channelLabel(channel)}</span>
    </span>
  );
}
