import { z } from "zod";

/** Safe in the browser. */
export const channels = ["sms", "email", "whatsapp"] as const;
export const channelSchema = z.enum(channels);
export type Channel = z.output<typeof channelSchema>;
