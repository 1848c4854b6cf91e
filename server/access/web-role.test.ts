import { expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);
/** Runs one statement with the login and the rights of the web process, under the first tenant. */
const asWeb = (statement: string) => inTenant(tenant.system, (tx) => tx.$executeRawUnsafe(statement));
const denied = /permission denied/;

test.each([
  ["data_region", "'US'"],
  ["platform_fees", "'{}'"],
  ["data_key", "''::bytea"],
  ["slug", "'mine'"],
  ["name", "'Mine'"],
  ["settings", "'{}'"],
])("the web role cannot change %s of its own tenant", async (column, value) => {
  await expect(asWeb(`UPDATE tenants SET ${column} = ${value}`)).rejects.toThrow(denied);
});

test("the web role cannot become another tenant or make one", async () => {
  await expect(asWeb(`UPDATE tenants SET id = '${newId()}'`)).rejects.toThrow(/row-level security/);
  await expect(
    asWeb(`INSERT INTO tenants (id, slug, name, data_key) VALUES ('${newId()}', 'x', 'X', '')`),
  ).rejects.toThrow(denied);
});

test("regions change only with an entry in the audit trail for each, including its reason", async () => {
  const change = (regions: string, entries: unknown[]) =>
    asWeb(`SELECT change_transfer_regions(${regions}, '${JSON.stringify(entries)}')`);
  const entry = (region: string, reason = "A new office", action = "residency.transfer_allowed") => ({
    id: newId(),
    at: new Date().toISOString(),
    action,
    actorType: "user",
    actorId: tenant.owner.id,
    actorName: "Olga",
    requestId: "test",
    data: { region, reason },
  });
  const refused = /needs one entry with its reason/;
  await expect(change("'{US}'", [])).rejects.toThrow(refused);
  await expect(change("'{US}'", [entry("EU")])).rejects.toThrow(refused);
  await expect(change("'{US}'", [entry("US", " ")])).rejects.toThrow(refused);
  await expect(change("'{US}'", [entry("US"), entry("US")])).rejects.toThrow(refused);
  await expect(change("'{US}'", [entry("US", "A new office", "template.created")])).rejects.toThrow(
    /something else than what is done/,
  );
  await expect(change("NULL", [])).rejects.toThrow(/at most 100 codes/);
  await change("'{US}'", [entry("US")]);
  await expect(change("'{}'", [])).rejects.toThrow(refused);
  await change("'{}'", [entry("US", "Closed", "residency.transfer_withdrawn")]);
  const { rows } = await database.owner.query<{ action: string }>(
    "SELECT action FROM audit_events WHERE tenant_id = $1 AND action LIKE 'residency.%' ORDER BY id",
    [tenant.tenantId],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "residency.transfer_allowed",
    "residency.transfer_withdrawn",
  ]);
  for (const call of [
    "merge_ai_settings('{}')",
    "merge_consent_policies('[]')",
    "change_transfer_regions('{}', '[]')",
  ]) {
    await expect(database.web.pool.query(`SELECT ${call}`)).rejects.toThrow(/no tenant is named/);
  }
  await expect(asWeb("SELECT merge_ai_settings('[]')")).rejects.toThrow(/one object/);
  await expect(asWeb("SELECT merge_consent_policies('{}')")).rejects.toThrow(/one list/);
});

test("request counts go up and never down", async () => {
  const key = newId();
  const window = "date_trunc('minute', now())";
  const add = async (used: number, at = window) => {
    const { rows } = await database.web.pool.query<{ used: number }>(
      `SELECT used FROM add_requests(ARRAY[$1::uuid], ARRAY[$2::uuid], ARRAY[${at}], ARRAY[$3::int])`,
      [tenant.tenantId, key, used],
    );
    return rows[0]?.used;
  };
  expect(await add(5)).toBe(5);
  expect(await add(-5)).toBe(5);
  expect(await add(5, `${window} - interval '1 hour'`)).toBeUndefined();
  for (const statement of [
    "DELETE FROM rate_windows",
    "UPDATE rate_windows SET used = 0",
    `INSERT INTO rate_windows VALUES ('${tenant.tenantId}', '${key}', now(), -9)`,
  ]) {
    await expect(asWeb(statement)).rejects.toThrow(denied);
  }
});

test("the web role may enqueue its use cases' jobs for its own tenant, and nothing else", async () => {
  const may = async (task: string, payload: unknown, ctx = tenant.system) => {
    const rows = await inTenant(
      ctx,
      (tx) =>
        tx.$queryRaw<
          { may: boolean }[]
        >`SELECT web_may_enqueue(${task}, ${JSON.stringify(payload)}::jsonb) AS may`,
    );
    return rows[0]?.may;
  };
  const own = { tenantId: tenant.tenantId, notificationId: newId() };
  expect(await may("deliver_otp", own)).toBe(true);
  expect(await may("import_templates", own)).toBe(true);
  expect(await may("import_rows", own)).toBe(true);
  expect(await may("export_rows", own)).toBe(true);
  expect(await may("deliver_otp", { ...own, tenantId: other.tenantId })).toBe(false);
  expect(await may("deliver_otp", {})).toBe(false);
  expect(await may("sweep_notifications", own)).toBe(false);
  expect(await may("anything", own)).toBe(false);
  expect(await may("sweep_notifications", {}, tenant.worker)).toBe(true);
  const enqueue = (task: string, payload: unknown) =>
    inTenant(
      tenant.system,
      (tx) => tx.$queryRaw`SELECT enqueue_jobs(${JSON.stringify([{ task, payload }])}::jsonb)::text`,
    );
  await enqueue("deliver_otp", own);
  // Nor can it replace a waiting job, or jump the queue.
  const pushy = { task: "deliver_otp", payload: own, jobKey: "cron:sweep_notifications", priority: -100 };
  await inTenant(
    tenant.system,
    (tx) => tx.$queryRaw`SELECT enqueue_jobs(${JSON.stringify([pushy])}::jsonb)::text`,
  );
  const jobs = await database.owner.query<{ key: string | null; priority: number }>(
    "SELECT key, priority FROM graphile_worker._private_jobs WHERE payload->>'tenantId' = $1",
    [tenant.tenantId],
  );
  expect(new Set(jobs.rows.map(({ key, priority }) => `${String(key)} ${String(priority)}`))).toEqual(
    new Set(["null 0"]),
  );
  await expect(enqueue("sweep_notifications", {})).rejects.toThrow(/may not add such a job/);
  await expect(enqueue("deliver_otp", { ...own, tenantId: other.tenantId })).rejects.toThrow(
    /may not add such a job/,
  );
  const { rows } = await database.web.pool.query<{ may: boolean }>(
    "SELECT web_may_enqueue('deliver_otp', $1) AS may",
    [JSON.stringify(own)],
  );
  expect(rows).toEqual([{ may: false }]);
  const owner = await database.owner.query("SELECT web_may_enqueue('sweep_notifications', '{}') AS may");
  expect(owner.rows).toEqual([{ may: true }]);
});

test("the queue itself is closed to the web role", async () => {
  await expect(asWeb("SELECT graphile_worker.add_job('sweep_notifications', '{}')")).rejects.toThrow(denied);
  await expect(asWeb("SELECT * FROM graphile_worker._private_jobs")).rejects.toThrow(denied);
});

/** What the role may write: whole tables, or single columns in brackets. */
const writes: Record<string, string> = {
  ai_usage: "INSERT",
  agent_minutes: "DELETE, INSERT, UPDATE",
  agents: "DELETE, INSERT, UPDATE",
  api_keys: "DELETE, INSERT, UPDATE",
  applications: "DELETE, INSERT, UPDATE",
  attempts: "INSERT, UPDATE",
  audit_events: "INSERT",
  connection_health: "DELETE, INSERT, UPDATE",
  connection_incidents: "INSERT",
  brand_logos: "DELETE, INSERT, UPDATE",
  brandings: "DELETE, INSERT, UPDATE",
  // Deletes only what holds an address back during a review: the policy says so.
  consent_entries: "DELETE, INSERT",
  consent_keys: "INSERT",
  contact_addresses: "DELETE, INSERT, UPDATE",
  contact_group_members: "DELETE, INSERT, UPDATE",
  contact_groups: "DELETE, INSERT, UPDATE",
  budget_alerts: "DELETE",
  budgets: "DELETE, INSERT, UPDATE",
  code_marks: "DELETE, INSERT",
  objective_settings: "INSERT, UPDATE",
  status_incidents: "DELETE, INSERT, UPDATE",
  status_pages: "DELETE, INSERT",
  status_updates: "DELETE, INSERT, UPDATE",
  contacts: "DELETE, INSERT, UPDATE",
  consent_confirmations: "INSERT, UPDATE (confirmed_at, expires_at)",
  consent_reviews: "INSERT, UPDATE (decided_at, state)",
  conversations: "INSERT, UPDATE",
  cost_currencies: "DELETE, INSERT, UPDATE",
  cost_deltas: "INSERT",
  cost_entries: "INSERT, UPDATE",
  directory_group_members: "DELETE, INSERT",
  directory_groups: "DELETE, INSERT, UPDATE",
  directory_mappings: "DELETE, INSERT",
  directory_people: "DELETE, INSERT, UPDATE",
  dismissed_checklists: "DELETE, INSERT",
  domains: "DELETE, INSERT, UPDATE",
  environments: "DELETE, INSERT, UPDATE",
  erasures: "INSERT",
  exchange_rates: "DELETE, INSERT, UPDATE",
  external_identities: "DELETE, INSERT, UPDATE",
  idempotency_keys: "DELETE, INSERT, UPDATE",
  idempotent_answers: "DELETE, INSERT, UPDATE",
  identity_provider_rules: "DELETE, INSERT",
  identity_providers: "DELETE, INSERT, UPDATE",
  inbound_messages: "INSERT",
  report_schedules: "DELETE, INSERT, UPDATE",
  report_sends: "DELETE",
  saved_views: "DELETE, INSERT, UPDATE",
  export_chunks: "DELETE",
  exports: "DELETE, INSERT, UPDATE",
  feed_events: "INSERT",
  import_chunks: "DELETE, INSERT",
  import_errors: "DELETE, INSERT",
  import_marks: "DELETE",
  imports: "INSERT, UPDATE",
  invitations: "DELETE, INSERT, UPDATE",
  metric_deltas: "INSERT",
  notices: "DELETE, INSERT, UPDATE",
  notification_events: "INSERT",
  notification_types: "DELETE, INSERT, UPDATE",
  notifications: "INSERT, UPDATE",
  link_clicks: "INSERT, UPDATE",
  mail_standings: "UPDATE",
  organization_units: "DELETE, INSERT, UPDATE",
  passkeys: "DELETE, INSERT, UPDATE",
  password_links: "DELETE, INSERT",
  pipeline_proposals: "DELETE, INSERT",
  pipeline_stages: "DELETE, INSERT, UPDATE",
  promotion_decisions: "INSERT",
  promotion_items: "INSERT, UPDATE",
  price_changes: "INSERT",
  price_units: "INSERT, UPDATE",
  promotions:
    "INSERT, UPDATE (decided_at, deployed_at, deployed_by_name, rollback_note, rolled_back_at, rolled_back_by_name, state)",
  provider_connections: "DELETE, INSERT, UPDATE",
  quota_warnings: "INSERT",
  recipient_limits: "INSERT, UPDATE",
  recovery_codes: "DELETE, INSERT, UPDATE",
  role_assignments: "DELETE, INSERT, UPDATE",
  roles: "DELETE, INSERT, UPDATE",
  routing_revisions: "INSERT",
  routing_rules: "DELETE, INSERT, UPDATE",
  broadcasts: "INSERT, UPDATE",
  send_approvals: "INSERT, UPDATE",
  sender_domain_checks: "INSERT, UPDATE",
  scim_tokens: "INSERT, UPDATE (expires_at, last_used_at, revoked_at)",
  second_factors: "DELETE, INSERT, UPDATE",
  send_requests: "INSERT, UPDATE",
  sessions: "DELETE, INSERT, UPDATE",
  short_links: "DELETE, INSERT, UPDATE",
  shorteners: "DELETE, INSERT, UPDATE",
  sign_in_policies: "INSERT, UPDATE",
  address_links: "DELETE, INSERT",
  suppressions: "DELETE, INSERT, UPDATE",
  template_deployments: "DELETE, INSERT, UPDATE",
  template_import_items: "DELETE, INSERT, UPDATE",
  template_imports: "DELETE, INSERT, UPDATE",
  template_tests: "DELETE, INSERT, UPDATE",
  template_reviews: "INSERT",
  template_versions: "INSERT",
  templates: "DELETE, INSERT, UPDATE",
  tenants: "UPDATE (id)",
  used_sign_in_states: "DELETE, INSERT",
  users: "DELETE, INSERT, UPDATE",
  waiting_messages: "DELETE",
  webhook_attempts: "INSERT, UPDATE",
  webhook_deliveries: "INSERT, UPDATE",
  webhook_endpoints: "DELETE, INSERT, UPDATE",
  whatsapp_approvals: "DELETE, INSERT, UPDATE",
  whatsapp_category_changes: "INSERT",
  word_replies: "INSERT",
};

test("what the web role may write is this list: a new right is a decision", async () => {
  const { rows } = await database.owner.query<{ name: string; rights: string }>(`
    SELECT c.relname AS name, string_agg(right_of, ', ' ORDER BY right_of) AS rights
    FROM pg_class c
    CROSS JOIN LATERAL (
      SELECT p AS right_of FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p
      WHERE has_table_privilege('tidings_web', c.oid, p)
      UNION ALL
      SELECT p || ' (' || string_agg(a.attname, ', ' ORDER BY a.attname) || ')'
      FROM unnest(ARRAY['INSERT', 'UPDATE', 'REFERENCES']) AS p
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND has_column_privilege('tidings_web', c.oid, a.attnum, p)
      WHERE NOT has_table_privilege('tidings_web', c.oid, p)
      GROUP BY p
    ) AS r
    WHERE c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) AND c.relkind IN ('r', 'p', 'v', 'm')
    GROUP BY 1 ORDER BY 1`);
  const granted = Object.fromEntries(rows.map(({ name, rights }) => [name, rights]));
  expect(granted, "Rights marked + are in prisma/policies and not in `writes` above").toEqual(writes);
});

/** Functions that the role may call, past row-level security or under it. */
const calls: string[] = [
  "accept_agent_send(p_tenant uuid, p_limits jsonb, p_request jsonb, p_approval jsonb)",
  "accept_sends(p_tenant uuid, p_requests jsonb)",
  "add_quota_use(p_tenants uuid[], p_days date[], p_used integer[]) as its owner",
  "add_requests(p_tenants uuid[], p_keys uuid[], p_windows timestamp with time zone[], p_used integer[]) as its owner",
  "advance_notifications(p_tenant uuid, p_changes jsonb)",
  "agent_room(p_tenant uuid, p_agent uuid, p_cap integer)",
  "analyze_new_contacts() as its owner",
  "change_transfer_regions(p_regions text[], p_entries jsonb) as its owner",
  "consent_state(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text)",
  "contact_matches(p_filter jsonb, p_region text, p_language text, p_time_zone text, p_attributes jsonb)",
  "count_agent_messages(p_tenant uuid, p_agent uuid, p_messages integer)",
  "count_sign_in(p_source text, p_account text, p_address text, p_site text, OUT wait_seconds integer, OUT failures integer, OUT account_failures integer) as its owner",
  "create_first_tenant(p_hash bytea, p_slug text, p_name text, p_data_region text, p_settings jsonb, p_data_key bytea) as its owner",
  "create_permitted_tenant(p_hash bytea, p_slug text, p_name text, p_data_region text, p_settings jsonb, p_data_key bytea) as its owner",
  "current_tenant()",
  "delivery_job(p_task text, p_tenant uuid, p_ids jsonb, p_run_at timestamp with time zone, p_priority integer)",
  "endpoints_for_event(p_tenant uuid, p_application uuid, p_environment uuid, p_event text)",
  "enqueue_jobs(p_jobs jsonb) as its owner",
  "find_api_key(p_id uuid) as its owner",
  "find_connection_tenant(p_id uuid) as its owner",
  "find_identities(p_email text) as its owner",
  "find_identity_providers(p_domain text) as its owner",
  "find_invitation(p_hash bytea) as its owner",
  "find_passkey(p_credential_id bytea, p_ip text) as its owner",
  "find_platform_channel(p_id uuid) as its owner",
  "find_platform_connections(p_channel uuid) as its owner",
  "find_platform_messages(p_channel uuid, p_provider_message_ids text[], p_notifications uuid[]) as its owner",
  "find_short_link(p_code text) as its owner",
  "find_sign_in(p_organisation text, p_email text, p_ip text) as its owner",
  "guard_platform_connection()",
  "has_consent_key(p_tenant uuid)",
  "has_one_organisation() as its owner",
  "is_recipient_action(p_type text)",
  "is_sending_held()",
  "is_terminal_status(p_status text)",
  "job_size(p_payload jsonb)",
  "lanes_without_worker()",
  "latency_bucket(p_latency interval)",
  "mail_domain_group(p_channel text, p_recipient text)",
  "merge_ai_settings(p_changes jsonb) as its owner",
  "merge_consent_policies(p_policies jsonb) as its owner",
  "merge_consent_words(p_words jsonb) as its owner",
  "merge_histograms(p_one bigint[], p_other bigint[])",
  "merge_retention_settings(p_retention jsonb) as its owner",
  "merge_word_replies(p_replies jsonb) as its owner",
  "messages_per_job(p_task text)",
  "metric_code(p_status text, p_reason_code text, p_failure jsonb)",
  "newest_consent(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text)",
  "newest_consent_of(p_tenant uuid, p_sandbox boolean, p_channel text, p_addresses text[], p_region text, p_class text)",
  "note_answers(p_process uuid, p_tenants uuid[], p_minutes timestamp with time zone[], p_good integer[], p_missed integer[]) as its owner",
  "note_key_uses(p_tenants uuid[], p_keys uuid[], p_times timestamp with time zone[], p_addresses text[]) as its owner",
  "notification_changes(p_changes jsonb)",
  "notification_may_become(p_from text, p_to text)",
  "notification_rank(p_status text)",
  "own_rate(p_tenant uuid, p_currency text, p_day date)",
  "own_rates(p_tenant uuid, p_from date, p_to date)",
  "pending_migrations(p_expected text[]) as its owner",
  "published_status_pages() as its owner",
  "purge_quota_days() as its owner",
  "purge_rate_windows() as its owner",
  "recipient_send_key(p_tenant uuid, p_sandbox boolean, p_recipient text)",
  "record_link_click(p_tenant uuid, p_id uuid, p_told integer, p_machine text)",
  "redact_ended_requests(p_tenants uuid[], p_requests uuid[])",
  "redact_variables(p_variables jsonb)",
  "refusal_detail(p_code text, p_state text, p_channel text, p_class text)",
  "rename_tenant(p_name text) as its owner",
  "requested_keys(p_requests jsonb)",
  "requested_messages(p_messages jsonb)",
  "requested_sends(p_requests jsonb)",
  "restart_purge(p_tenant uuid) as its owner",
  "send_refusal(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text, p_policy text)",
  "send_refusal_of(p_tenant uuid, p_sandbox boolean, p_channel text, p_addresses text[], p_region text, p_class text, p_policy text)",
  "sender_address(p_channel text, p_sender text)",
  "sender_kind(p_channel text, p_sender text)",
  "sender_rows(c provider_connections)",
  "set_audit_retention(p_months integer) as its owner",
  "set_up_token(p_nonce bytea, p_hash bytea) as its owner",
  "suspended_tenants() as its owner",
  "take_back_sign_in(p_source text, p_account text, p_address text) as its owner",
  "take_passkey_challenge(p_hash bytea, p_expires_at timestamp with time zone) as its owner",
  "takes_turns(p_task text)",
  "uuidv7_floor(p_at timestamp with time zone)",
  "uuidv7_new()",
  "web_may_enqueue(p_task text, p_payload jsonb)",
  "webhook_event_of(p_type text)",
  "webhook_job(p_tenant uuid, p_delivery uuid)",
];

test("what the web role may call is this list: a new function is a decision", async () => {
  const { rows } = await database.owner.query<{ name: string }>(`
    SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' || CASE WHEN p.prosecdef THEN ' as its owner' ELSE '' END AS name
    FROM pg_proc p
    WHERE p.pronamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
      AND has_function_privilege('tidings_web', p.oid, 'EXECUTE') AND has_schema_privilege('tidings_web', p.pronamespace, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    ORDER BY 1`);
  const callable = rows.map(({ name }) => name);
  expect(callable, "What is marked + may be called and is not in `calls` above").toEqual(calls);
});
