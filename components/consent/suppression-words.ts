import type { SuppressedAddress } from "../../server/consent/schemas.ts";

export const suppressionWords: Record<SuppressedAddress["reason"], { label: string; says: string }> = {
  hard_bounce: { label: "Hard bounce", says: "The address doesn't exist or doesn't accept e-mail" },
  complaint: { label: "Complaint", says: "The recipient reported a message as spam" },
  soft_bounces: {
    label: "Soft bounces",
    says: "Five messages in a row bounced, for example because the mailbox is full",
  },
  manual: { label: "Manual", says: "Added by a person or a system" },
};
