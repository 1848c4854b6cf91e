import { openOwn, resealOwn, sealOwn } from "../kernel/secrets.ts";
import { openOldSecrets } from "./old-callback-secrets.ts";
import type { OldSecrets } from "./old-callback-secrets.ts";

const purpose = "platform channels";
const context = (channelId: string): string => `platform_channels:${channelId}`;

/** Sealed with the credentials, of which none has this name. */
const oldMember = "oldCallbackSecrets";

/**
 * Seals the credentials of an operator's channel, with what its callbacks were verified with before. They belong to no tenant, so no
 * tenant's key opens them.
 */
export function sealChannelCredentials(channelId: string, credentials: object, old: OldSecrets = []): Buffer {
  const sealed = old.length > 0 ? { ...credentials, [oldMember]: old } : credentials;
  return sealOwn(purpose, context(channelId), JSON.stringify(sealed));
}

export function openChannelCredentials(channelId: string, sealed: Uint8Array): Record<string, unknown> {
  const { [oldMember]: _, ...credentials } = opened(channelId, sealed);
  return credentials;
}

/** What callbacks of a channel are verified with besides its credentials. */
export function openOldChannelSecrets(channelId: string, sealed: Uint8Array, now: Date): OldSecrets {
  return openOldSecrets(sealed, (box) => JSON.stringify(opened(channelId, box)[oldMember] ?? []), now);
}

/** Sealed again under the current master key; null when they already are. */
export function resealChannelCredentials(channelId: string, sealed: Uint8Array): Buffer | null {
  return resealOwn(purpose, context(channelId), sealed);
}

const opened = (channelId: string, sealed: Uint8Array) =>
  JSON.parse(openOwn(purpose, context(channelId), sealed)) as Record<string, unknown>;
