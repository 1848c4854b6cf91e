import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import { idFloor } from "../kernel/ids.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions, scopeSql } from "../operations/conditions.ts";
import type { NotificationStatus } from "../sending/notification-state.ts";

export interface ConversationRow {
  id: string;
  sandbox: boolean;
  channel: Channel;
  address: string;
  ownAddress: string;
  connectionId: string;
  environmentId: string | null;
  applicationId: string | null;
  unitId: string | null;
  lastInboundAt: Date;
  unread: number;
  createdAt: Date;
  provider: string | null;
  lastText: string | null;
  lastKind: string | null;
  optedOut: boolean;
}

const presented = (page: string) => `
  SELECT c.*, p.name AS provider, m.text AS last_text, m.kind AS last_kind,
    coalesce(consent_state(c.tenant_id, c.sandbox, c.channel, c.address, NULL, 'marketing') = 'opted_out', false) AS opted_out
  FROM ${page} c
  LEFT JOIN connection_facts p ON p.tenant_id = c.tenant_id AND p.id = c.connection_id
  LEFT JOIN LATERAL (
    SELECT text, kind FROM inbound_facts m WHERE m.tenant_id = c.tenant_id AND m.conversation_id = c.id
    ORDER BY at DESC, id DESC LIMIT 1) m ON true`;

/**
 * A page of conversations, the most recent first.
 * @param scopes.read where the caller reads notifications, @param scopes.manage where they manage connections: those
 * also see conversations without an application, by the unit that owns the number; @param scopes.revealed where the caller
 * sees addresses: only there conversations are found by theirs
 */
export function selectConversations(
  ctx: Ctx,
  scopes: Record<"read" | "manage" | "revealed", Required<Scope>[] | null>,
  filter: {
    environment: { id: string; sandbox: boolean };
    unitId?: string | undefined;
    channel?: string | undefined;
    applicationId?: string | undefined;
    /** Spellings of one. */
    addresses?: string[] | undefined;
    before?: { at: Date; id: string } | undefined;
    limit: number;
  },
): Promise<ConversationRow[]> {
  const where = new Conditions([ctx.tenantId], "c.tenant_id = $1");
  const environment = where.bind(filter.environment.id);
  const owned = scopeSql(scopes.read, "c", where.values);
  // A grant that is bound to an application or an environment manages no connection.
  const units = scopes.manage?.filter((scope) => !scope.applicationId && !scope.environmentId) ?? null;
  const unowned = scopeSql(units, { unit: "c.unit_id", application: "", environment: "" }, where.values);
  where
    .and(
      `CASE WHEN c.application_id IS NOT NULL THEN c.environment_id = ${environment} AND ${owned}
            ELSE c.sandbox = ${where.bind(filter.environment.sandbox)} AND ${unowned} END`,
    )
    .given("c.unit_id = ?", filter.unitId)
    .given("c.channel = ?", filter.channel)
    .given("c.application_id = ?", filter.applicationId)
    .given("c.address = ANY (?::text[])", filter.addresses);
  if (filter.addresses !== undefined) where.within(scopes.revealed, "c");
  if (filter.before) {
    const [at, id] = [where.bind(filter.before.at), where.bind(filter.before.id)];
    where.and(`c.last_inbound_at <= ${at} AND (c.last_inbound_at < ${at} OR c.id > ${id})`);
  }
  return queryInTenant<ConversationRow>(
    ctx,
    `WITH page AS (
       SELECT c.* FROM conversation_facts c WHERE ${where.sql} ORDER BY c.last_inbound_at DESC, c.id LIMIT ${where.bind(filter.limit)}
     ) ${presented("page")} ORDER BY c.last_inbound_at DESC, c.id`,
    where.values,
  );
}

export async function selectConversation(ctx: Ctx, id: string): Promise<ConversationRow | undefined> {
  const rows = await queryInTenant<ConversationRow>(
    ctx,
    `${presented("conversation_facts")} WHERE c.tenant_id = $1 AND c.id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

export interface MessageRow {
  id: string;
  direction: "inbound" | "outbound";
  at: Date;
  text: string | null;
  kind: string | null;
  button: { payload: string; text: string } | null;
  optOut: "stop" | "start" | "help" | null;
  repliesTo: string | null;
  status: NotificationStatus | null;
  readAt: Date | null;
  /** Carried by the simulator. */
  simulated: boolean;
  templateName: string | null;
  /** What our own texts are rendered from. */
  renderedFrom: {
    channel: Channel;
    recipient: string;
    region: string;
    language: string;
    variables: Record<string, string>;
    templateId: string | null;
    templateVersion: number | null;
  } | null;
}

/**
 * The messages of a conversation, newest first: the recipient's, and those of the application to the recipient from
 * this sender.
 */
export function selectMessages(
  ctx: Ctx,
  conversation: ConversationRow,
  page: { before?: { at: Date; id: string } | undefined; limit: number },
): Promise<MessageRow[]> {
  const values: unknown[] = [ctx.tenantId, conversation.id, page.limit];
  const add = (value: unknown) => `$${String(values.push(value))}`;
  const before = page.before
    ? {
        at: add(page.before.at),
        id: add(page.before.id),
        floor: add(idFloor(new Date(page.before.at.getTime() + 60_000))),
      }
    : undefined;
  const older = (time: string, id: string) =>
    before ? `AND ${time} <= ${before.at} AND (${time}, ${id}) < (${before.at}, ${before.id}::uuid)` : "";
  const inbound = `
    SELECT m.id, 'inbound' AS direction, m.at, m.text, m.kind, m.button, m.opt_out, m.replies_to, NULL AS status,
      NULL::timestamptz AS read_at, false AS simulated, NULL AS template_name, NULL::jsonb AS rendered_from
    FROM inbound_facts m WHERE m.tenant_id = $1 AND m.conversation_id = $2 ${older("m.at", "m.id")}
    ORDER BY m.at DESC, m.id DESC LIMIT $3`;
  if (conversation.applicationId === null) return queryInTenant<MessageRow>(ctx, inbound, values);
  const { channel, address, ownAddress, applicationId, environmentId, connectionId } = conversation;
  const onChannel = `${add(channel)}::text`;
  const outbound = `
    SELECT n.id, 'outbound', n.created_at, NULL, NULL, NULL::jsonb, NULL, NULL::uuid, n.status, n.read_at,
      coalesce(p.adapter = 'simulator', false), t.name,
      jsonb_build_object('channel', n.channel, 'recipient', n.recipient, 'region', n.region, 'language', n.language,
        'variables', r.variables || coalesce(n.variables, '{}'), 'templateId', n.template_id, 'templateVersion', n.template_version)
    FROM (
      SELECT * FROM notification_texts n WHERE n.tenant_id = $1 AND n.recipient = ${add(address)} AND n.channel = ${onChannel}
        AND n.application_id = ${add(applicationId)} AND n.environment_id = ${add(environmentId)}
        AND (n.connection_id = ${add(connectionId)} OR n.connection_id IN (SELECT s.connection_id FROM sender_facts s
          WHERE s.tenant_id = $1 AND s.channel = ${onChannel} AND s.address = sender_address(${onChannel}, ${add(ownAddress)}::text)))
        ${before ? `AND n.id < ${before.floor}` : ""} ${older("n.created_at", "n.id")}
      ORDER BY n.created_at DESC, n.id DESC LIMIT $3
    ) n
    JOIN request_texts r ON r.tenant_id = $1 AND r.id = n.request_id
    LEFT JOIN template_facts t ON t.tenant_id = $1 AND t.id = n.template_id
    LEFT JOIN connection_facts p ON p.tenant_id = $1 AND p.id = n.connection_id`;
  return queryInTenant<MessageRow>(
    ctx,
    `SELECT * FROM ((${inbound}) UNION ALL (${outbound})) AS said ORDER BY at DESC, id DESC LIMIT $3`,
    values,
  );
}
