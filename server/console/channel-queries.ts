import { camelRows } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { ChannelAction } from "./channels.ts";

export interface ChannelState {
  id: string;
  name: string;
  provider: string;
  channels: string[];
  region: string;
  enabled: boolean;
  /** How many connections use it; at most 10,000. */
  connections: number;
}

export async function selectChannels(db: Db): Promise<ChannelState[]> {
  return camelRows(await db.pool.query("SELECT * FROM channel_states()"));
}

export interface Assignment {
  id: string;
  organisation: string;
  slug: string;
  connection: string;
  enabled: boolean;
  senders: { channel: string; region?: string; sender: string }[];
}

/** The organisations that have a channel, the newest first. */
export async function selectChannelAssignments(
  db: Db,
  channelId: string,
  page: { before: string | null; limit: number },
): Promise<Assignment[]> {
  return camelRows(
    await db.pool.query("SELECT * FROM channel_assignments($1, $2, $3)", [
      channelId,
      page.before,
      page.limit,
    ]),
  );
}

export interface NewChannelRequest {
  id: string;
  operatorId: string;
  operatorName: string;
  sessionId: string;
  ip: string | null;
  requestId: string;
  action: ChannelAction;
  organisation: string;
  organisationSlug: string;
  input: object;
}

/** Asks the worker for a change; its job is added by a trigger. */
export async function insertChannelRequest(tx: Tx, row: NewChannelRequest): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO channel_requests (id, operator_id, operator_name, session_id, ip, request_id, action, organisation, organisation_slug, input)
    VALUES (${row.id}::uuid, ${row.operatorId}::uuid, ${row.operatorName}, ${row.sessionId}::uuid, ${row.ip}, ${row.requestId},
            ${row.action}, ${row.organisation}::uuid, ${row.organisationSlug}, ${JSON.stringify(row.input)}::jsonb)`;
}

/** What became of it; undefined: nothing yet. */
export async function selectOutcome(db: Db, id: string): Promise<{ refusal: unknown } | undefined> {
  const { rows } = await db.pool.query<{ refusal: unknown }>(
    "SELECT refusal FROM channel_requests WHERE id = $1 AND done_at IS NOT NULL",
    [id],
  );
  return rows[0];
}

/** Over the worker's role: takes a request, once. Undefined: it was taken, or is too old. */
export async function takeChannelRequest(
  db: Db,
  id: string,
): Promise<{ action: string; input: unknown; requestId: string } | undefined> {
  const result = await db.pool.query("SELECT * FROM take_channel_request($1)", [id]);
  return camelRows<{ action: string; input: unknown; requestId: string }>(result)[0];
}

/** Over the worker's role. */
export async function finishChannelRequest(db: Db, id: string, refusal: object | null): Promise<void> {
  await db.pool.query("SELECT finish_channel_request($1, $2)", [id, refusal && JSON.stringify(refusal)]);
}
