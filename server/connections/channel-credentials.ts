import { openOwn, resealOwn, sealOwn } from "../kernel/secrets.ts";

const purpose = "platform channels";
const context = (channelId: string): string => `platform_channels:${channelId}`;

/** Seals the credentials of an operator's channel. They belong to no tenant, so no tenant's key opens them. */
export function sealChannelCredentials(channelId: string, credentials: unknown): Buffer {
  return sealOwn(purpose, context(channelId), JSON.stringify(credentials));
}

export function openChannelCredentials(channelId: string, sealed: Uint8Array): unknown {
  return JSON.parse(openOwn(purpose, context(channelId), sealed));
}

/** Sealed again under the current master key; null when they already are. */
export function resealChannelCredentials(channelId: string, sealed: Uint8Array): Buffer | null {
  return resealOwn(purpose, context(channelId), sealed);
}
