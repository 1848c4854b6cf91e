import { notificationClassSchema, type NotificationClass } from "../../server/tenancy/schemas.ts";
import type { BadgeTone } from "../ui/badge.tsx";

export const classes: Record<NotificationClass, { label: string; tone: BadgeTone; says: string }> = {
  authentication: {
    label: "Authentication",
    tone: "accent",
    says: "One-time codes. Sent first, without consent. Expire after minutes.",
  },
  transactional: {
    label: "Transactional",
    tone: "info",
    says: "Messages someone is waiting for. Sent fast, to everyone who has not opted out.",
  },
  service: {
    label: "Service",
    tone: "neutral",
    says: "News about the service. Sent in bulk, to everyone who has not opted out.",
  },
  marketing: {
    label: "Marketing",
    tone: "warning",
    says: "Offers. Sent in bulk, only to people who have opted in.",
  },
};

export const classOptions = notificationClassSchema.options.map((value) => ({
  value,
  label: classes[value].label,
}));

/** "order_status, receipt" or one a line → the names. */
export const namesOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean);

export const readClass = (value: string): NotificationClass => notificationClassSchema.parse(value);
