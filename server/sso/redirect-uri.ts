import { env } from "../kernel/env.ts";

/** Where an organisation's providers send people back to; one address, so that it is known before a provider is added. */
export const redirectUri = (tenantId: string): string => `${env().publicUrl}/api/sso/callback/${tenantId}`;
