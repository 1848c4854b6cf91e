import { createHmac } from "node:crypto";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { derivedKey, derivedKeys } from "../kernel/secrets.ts";
import { sameBytes } from "../kernel/same-secret.ts";

/** An event as it is stored: every column that says something. */
export interface AuditEvent {
  tenantId: string;
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  actorType: string;
  actorId: string | null;
  actorName: string;
  action: string;
  targetType: string;
  targetId: string | null;
  unitId: string | null;
  environmentId: string | null;
  requestId: string;
  data: unknown;
}

/** One text for one event: what is signed when it is written, and hashed when it is chained. */
export function eventText(event: AuditEvent): string {
  const { action, actorId, actorName, actorType, at, data, environmentId, id } = event;
  const { requestId, targetId, targetType, tenantId, unitId } = event;
  // Written out, so that only `data` has to be sorted.
  const text = JSON.stringify({
    action,
    actorId,
    actorName,
    actorType,
    at,
    environmentId,
    id,
    requestId,
    targetId,
    targetType,
    tenantId,
    unitId,
  });
  return `${text.slice(0, -1)},"data":${canonicalJson(data)}}`;
}

const purpose = "audit events";
const macOf = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Of the process that writes an event: who has the database alone, and not the master key, cannot make one. */
export function signEvent(event: AuditEvent): Buffer {
  return macOf(derivedKey(purpose), eventText(event));
}

/** Whether signEvent made this under the current or a previous master key. */
export function isSigned(event: AuditEvent, mac: Buffer): boolean {
  const text = eventText(event);
  return derivedKeys(purpose).some((key) => sameBytes(mac, macOf(key, text)));
}
