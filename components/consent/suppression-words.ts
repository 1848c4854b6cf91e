import type { SuppressedAddress } from "../../server/consent/schemas.ts";

export const suppressionWords: Record<SuppressedAddress["reason"], { label: string; says: string }> = {
  hard_bounce: { label: "Hard bounce", says: "The address does not exist or takes no mail" },
  complaint: { label: "Complaint", says: "The recipient called a message spam" },
  soft_bounces: { label: "Soft bounces", says: "Five messages in a row came back, e.g. from a full mailbox" },
  manual: { label: "By hand", says: "Added by a person or one of your systems" },
};
