import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  CircleX,
  Clock3,
  Hourglass,
  LoaderCircle,
  Send,
  UserRoundCheck,
  type LucideIcon,
} from "lucide-react";
import type { BadgeTone } from "../ui/badge.tsx";

type StatusFace = {
  label: string;
  tone: BadgeTone;
  icon: LucideIcon;
  /** What it means, for a tooltip. */
  meaning: string;
  /** Nothing more will happen. */
  terminal: boolean;
  color: string;
};

/** How each state of a notification looks. Icon and word carry the meaning; colour only repeats it. */
export const statusFaces = {
  pending_approval: {
    label: "Awaiting approval",
    tone: "warning",
    icon: UserRoundCheck,
    meaning: "Sent by an agent, awaiting approval by a person",
    terminal: false,
    color: "var(--chart-3)",
  },
  scheduled: {
    label: "Scheduled",
    tone: "info",
    icon: Clock3,
    meaning: "Will be sent at its scheduled time",
    terminal: false,
    color: "var(--chart-7)",
  },
  queued: {
    label: "Queued",
    tone: "neutral",
    icon: CircleDashed,
    meaning: "Accepted, waiting to be sent",
    terminal: false,
    color: "var(--chart-8)",
  },
  sending: {
    label: "Sending",
    tone: "info",
    icon: LoaderCircle,
    meaning: "Being handed to the provider",
    terminal: false,
    color: "var(--chart-4)",
  },
  sent: {
    label: "Sent",
    tone: "accent",
    icon: Send,
    meaning: "Accepted by the provider; a receipt may follow",
    terminal: false,
    color: "var(--chart-7)",
  },
  delivered: {
    label: "Delivered",
    tone: "success",
    icon: CircleCheck,
    meaning: "The provider confirmed delivery",
    terminal: true,
    color: "var(--chart-1)",
  },
  failed: {
    label: "Failed",
    tone: "danger",
    icon: CircleX,
    meaning: "Could not be delivered",
    terminal: true,
    color: "var(--chart-2)",
  },
  rejected: {
    label: "Rejected",
    tone: "danger",
    icon: Ban,
    meaning: "Not sent: consent, suppression or policy",
    terminal: true,
    color: "var(--chart-5)",
  },
  expired: {
    label: "Expired",
    tone: "warning",
    icon: Hourglass,
    meaning: "Expired before it could be sent",
    terminal: true,
    color: "var(--chart-3)",
  },
  canceled: {
    label: "Canceled",
    tone: "neutral",
    icon: CircleSlash,
    meaning: "Canceled before it was sent",
    terminal: true,
    color: "var(--chart-8)",
  },
  undetermined: {
    label: "Undetermined",
    tone: "warning",
    icon: CircleHelp,
    meaning: "No receipt arrived, so delivery is unconfirmed",
    terminal: true,
    color: "var(--chart-6)",
  },
} as const satisfies Record<string, StatusFace>;

export type NotificationStatus = keyof typeof statusFaces;

export const statusNames = Object.keys(statusFaces) as NotificationStatus[];

/** What a status, or an action of a recipient, is called; of a message that the simulator carried never as if somebody had received it. */
export function statusLabel(status: string, simulated: boolean): string {
  const label = recipientActions[status] ?? statusFace(status).label;
  return simulated && (status in recipientActions || status === "sent" || status === "delivered")
    ? `${label} (simulated)`
    : label;
}

export const simulatedMeaning = "The simulator carried it: nobody received it";

const recipientActions: Record<string, string> = {
  read: "Read",
  clicked: "Link clicked",
  bounced: "Bounced",
  complained: "Complaint",
};

export function statusFace(status: string): StatusFace {
  return (statusFaces as Record<string, StatusFace>)[status] ?? { ...statusFaces.queued, label: status };
}
