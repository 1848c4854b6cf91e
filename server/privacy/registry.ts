/**
 * Personal data in the database: what each column of text, JSON, bytes or addresses holds, how long the rows of each table
 * stay, and what is left of a row when its content goes. Purge, erasure and export act on what is declared here; a test
 * compares it with the live schema, so that a new column is a decision.
 */

/** What a column holds. */
export type Holds =
  /** A recipient's address. */
  | "address"
  /** What a message says, or is made from. */
  | "content"
  /** Texts of others, such as providers and callers, in which a recipient's address may occur. */
  | "mention"
  /** About a member: name, mail address, sign-ins. */
  | "member"
  /** Written by members: templates, notes, names of things. */
  | "authored"
  /** Rows of the above as a file, compressed: erasing looks into it in a way of its own. */
  | "file"
  /** Addresses and parts of them, to be found by: the owner deletes the rows of an address that is erased, by their keys. */
  | "words"
  /** Sealed, or a hash: nothing can be read from it. */
  | "sealed"
  /** Addresses as tokens only, which lead nowhere without the organisation's key. */
  | "token"
  /** Codes, names of kinds, settings. */
  | "plain";

/** What is recorded about a recipient or on the recipient's account; erasure and export look into these. */
export const ofRecipients: readonly Holds[] = ["address", "content", "mention"];

/** How long rows stay. The first three are periods that an organisation chooses. */
export type Kept =
  "content" | "metadata" | "webhookLog" | "audit" | { days: number; from: string } | { until: string };

export interface TableRule {
  /** The domain that owns the table. */
  owner: string;
  /** Each column of text, JSON, bytes or network addresses; several of one kind in one line. */
  columns: Partial<Record<Holds, string>>;
  kept: Kept;
  /** What columns become when the content goes and the row stays: SQL. */
  blank?: Record<string, string>;
}

/** In place of a recipient's address that was erased. The same as in server/kernel/erased.ts. */
const erased = "'[erased]'";

export const registry: Record<string, TableRule> = {
  // access
  agent_minutes: {
    owner: "access",
    columns: {},
    kept: { until: "they count no more, after sixty minutes" },
  },
  agents: {
    owner: "access",
    columns: { address: "recipients" },
    kept: { until: "the organisation is deleted: what an agent did refers to it" },
  },
  api_keys: {
    owner: "access",
    columns: {
      authored: "name purpose",
      member: "last_used_from",
      sealed: "hash",
      plain: "hint allowed_networks",
    },
    kept: { until: "the organisation is deleted: what a key did refers to it" },
  },
  external_identities: {
    owner: "access",
    columns: { member: "subject" },
    kept: { until: "the member or the identity provider is removed" },
  },
  idempotent_answers: {
    owner: "access",
    columns: { sealed: "key_hash request answer" },
    kept: { until: "24 hours are over" },
  },
  invitations: {
    owner: "access",
    columns: { member: "email name invited_by_name", sealed: "token_hash", plain: "assignments outcome" },
    kept: { days: 30, from: "the invitation has ended" },
  },
  passkey_challenges: {
    owner: "access",
    columns: { sealed: "hash" },
    kept: { until: "it expires, within a few minutes" },
  },
  passkeys: {
    owner: "access",
    columns: { member: "name", sealed: "credential_id public_key", plain: "transports" },
    kept: { until: "it or its person is removed" },
  },
  password_links: {
    owner: "access",
    columns: { sealed: "hash" },
    kept: { until: "it is used or replaced" },
  },
  recovery_codes: {
    owner: "access",
    columns: { sealed: "hash" },
    kept: { until: "they are replaced, or the second factor is removed" },
  },
  rate_windows: {
    owner: "access",
    columns: {},
    kept: { until: "ten minutes are over" },
  },
  role_assignments: {
    owner: "access",
    columns: { member: "granted_by_name" },
    kept: { until: "the role is taken away" },
  },
  roles: {
    owner: "access",
    columns: { authored: "name description", plain: "key permissions" },
    kept: { until: "the role is deleted" },
  },
  second_factors: {
    owner: "access",
    columns: { sealed: "secret" },
    kept: { until: "it is removed" },
  },
  sessions: {
    owner: "access",
    columns: { member: "ip user_agent", plain: "method" },
    kept: { days: 90, from: "the session has expired" },
  },
  sign_in_delays: {
    owner: "access",
    columns: { sealed: "key" },
    kept: { until: "it expires, within a day" },
  },
  sign_in_policies: {
    owner: "access",
    columns: { plain: "ways" },
    kept: { until: "the organisation is deleted" },
  },
  users: {
    owner: "access",
    columns: { member: "email name", sealed: "password_hash passkey_handle" },
    kept: { until: "the organisation is deleted: what a member did refers to the account" },
  },
  // ai
  ai_usage: {
    owner: "ai",
    columns: { member: "actor_name", plain: "purpose model currency" },
    kept: { days: 730, from: "the call" },
  },
  // audit
  audit_chains: {
    owner: "audit",
    columns: { sealed: "key purged_hash purged_signature", plain: "failure" },
    kept: { until: "the organisation is deleted" },
  },
  audit_checkpoints: {
    owner: "audit",
    columns: { sealed: "line" },
    kept: { until: "the audit trail's own rule for checkpoints" },
  },
  audit_events: {
    owner: "audit",
    columns: {
      token: "data address_token",
      member: "actor_name name_key",
      sealed: "mac",
      plain: "actor_type action target_type target_id request_id",
    },
    kept: "audit",
  },
  audit_links: { owner: "audit", columns: { sealed: "hash", plain: "origin" }, kept: "audit" },
  audit_progress: { owner: "audit", columns: {}, kept: { until: "always: one row of the installation" } },
  audit_signers: {
    owner: "audit",
    columns: { sealed: "public_key private_key" },
    kept: { until: "always: one row of the installation" },
  },
  // connections
  connection_health: {
    owner: "connections",
    columns: { mention: "reason_detail", plain: "breaker reason_code trial" },
    kept: { until: "the connection is deleted" },
    blank: { reason_detail: "NULL" },
  },
  price_changes: {
    owner: "connections",
    columns: { plain: "before after" },
    kept: { days: 760, from: "the change" },
  },
  provider_connections: {
    owner: "connections",
    columns: {
      authored: "name settings senders",
      mention: "test_problem",
      sealed: "credentials old_callback_secrets",
      plain: "adapter channels price_list processing_region",
    },
    kept: { until: "the connection is deleted" },
    blank: { test_problem: "NULL" },
  },
  senders: {
    owner: "connections",
    columns: { authored: "sender address", plain: "channel region kind" },
    kept: { until: "the connection no longer lists it" },
  },
  // console
  channel_requests: {
    owner: "console",
    columns: {
      member: "operator_name ip",
      authored: "organisation_slug input refusal",
      plain: "action request_id",
    },
    kept: { until: "the first change of a channel in the console a day later" },
  },
  operator_events: {
    owner: "console",
    columns: {
      member: "operator_name ip data",
      authored: "organisation_slug",
      plain: "action request_id",
    },
    kept: { until: "the installation ends: it says who did what to whom" },
  },
  operator_links: {
    owner: "console",
    columns: { sealed: "hash" },
    kept: { until: "it is used or replaced" },
  },
  operator_recovery_codes: {
    owner: "console",
    columns: { sealed: "hash" },
    kept: { until: "they are replaced, or the second factor or the operator is removed" },
  },
  operator_second_factors: {
    owner: "console",
    columns: { sealed: "secret" },
    kept: { until: "it or the operator is removed" },
  },
  operator_sessions: {
    owner: "console",
    columns: { member: "ip user_agent", sealed: "hash" },
    kept: { until: "the operator's first sign-in a month after it has expired, or the operator is removed" },
  },
  operators: {
    owner: "console",
    columns: { member: "email name", sealed: "password_hash" },
    kept: { until: "the operator is removed" },
  },
  organisation_deletions: {
    owner: "console",
    columns: { authored: "organisation_slug", plain: "at_table removed" },
    kept: { until: "nothing of the organisation is left" },
  },
  // consent
  address_links: {
    owner: "consent",
    columns: { address: "address linked_address", plain: "channel source" },
    kept: { until: "the recipient is erased, or newer links take its place" },
  },
  consent_entries: {
    owner: "consent",
    columns: { address: "address", mention: "evidence item_id", plain: "channel region class state source" },
    kept: { until: "the recipient is erased; of an opt-out, a token stays" },
  },
  consent_keys: {
    owner: "consent",
    columns: { sealed: "key" },
    kept: { until: "the organisation is deleted" },
  },
  suppressions: {
    owner: "consent",
    columns: { address: "address", mention: "note", member: "made_by", plain: "channel reason" },
    kept: { until: "it is removed or ends; when the recipient is erased, a token stays" },
  },
  // contacts
  contact_addresses: {
    owner: "contacts",
    columns: { address: "address", plain: "channel" },
    kept: { until: "it is taken from the contact, the contact is deleted or the recipient is erased" },
  },
  contact_group_members: {
    owner: "contacts",
    columns: {},
    kept: { until: "the contact leaves the group, or one of the two is deleted" },
  },
  contact_groups: {
    owner: "contacts",
    columns: { authored: "name description", plain: "kind filter" },
    kept: { until: "the group is deleted" },
  },
  contacts: {
    owner: "contacts",
    // `name_key` is computed from the name by the database, and changes with it.
    columns: {
      mention: "external_id name attributes",
      plain: "name_key region language time_zone",
    },
    kept: { until: "the contact is deleted, or the recipient is erased" },
  },
  consent_confirmations: {
    owner: "consent",
    columns: {
      address: "address",
      mention: "item_id evidence",
      authored: "own_address",
      plain: "channel region class language",
    },
    kept: "content",
  },
  consent_reviews: {
    owner: "consent",
    columns: { address: "address", plain: "channel word state" },
    kept: "content",
  },
  word_replies: {
    owner: "consent",
    columns: { address: "address", authored: "own_address", plain: "channel kind language region classes" },
    kept: "content",
  },
  // costs
  cost_currencies: {
    owner: "costs",
    columns: { plain: "currency" },
    kept: { until: "the organisation is deleted" },
  },
  cost_entries: {
    owner: "costs",
    columns: { plain: "kind currency source counted_as" },
    kept: { until: "the organisation is deleted: totals name nobody" },
  },
  exchange_rates: {
    owner: "costs",
    columns: { plain: "own_currency currency" },
    kept: { until: "it is deleted" },
  },
  price_units: {
    owner: "costs",
    columns: { plain: "channel category country" },
    kept: { until: "the organisation is deleted: one number for each row of a price list" },
  },
  // reports
  report_schedules: {
    owner: "reports",
    columns: { member: "created_by", plain: "rhythm time_zone" },
    kept: { until: "it or its view is deleted" },
  },
  report_sends: {
    owner: "reports",
    columns: { plain: "state problem" },
    kept: { days: 90, from: "it was due" },
  },
  saved_views: {
    owner: "reports",
    columns: { mention: "query", authored: "name", member: "user_name", plain: "page" },
    kept: { until: "it is deleted" },
  },
  // quotas
  quota_days: {
    owner: "quotas",
    columns: {},
    kept: { until: "seventy days are over" },
  },
  quota_warnings: {
    owner: "quotas",
    columns: { plain: "period" },
    kept: { until: "seventy days are over" },
  },
  tenant_quotas: {
    owner: "quotas",
    columns: {},
    kept: { until: "the organisation is deleted" },
  },
  // directory
  directory_group_members: {
    owner: "directory",
    columns: {},
    kept: { until: "the directory takes the member out of the group" },
  },
  directory_groups: {
    owner: "directory",
    columns: { authored: "name external_id" },
    kept: { until: "the directory deletes the group" },
  },
  directory_mappings: {
    owner: "directory",
    columns: { member: "created_by_name" },
    kept: { until: "the group gives the role no more" },
  },
  directory_people: {
    owner: "directory",
    columns: { member: "user_name user_name_key external_id display_name given_name family_name" },
    kept: { until: "the directory deletes the person" },
  },
  domains: {
    owner: "directory",
    columns: { authored: "name claimed_name", member: "created_by_name", plain: "token" },
    kept: { until: "the domain is removed" },
  },
  scim_tokens: {
    owner: "directory",
    columns: { authored: "name", member: "created_by_name", sealed: "hash", plain: "hint" },
    kept: { until: "the organisation is deleted: what came in with a token refers to it" },
  },
  // budgets
  budget_alerts: {
    owner: "budgets",
    columns: {},
    kept: { until: "400 days are over, or the budget is removed" },
  },
  budgets: {
    owner: "budgets",
    columns: { authored: "name", plain: "currency" },
    kept: { until: "it is removed" },
  },
  cost_anomalies: {
    owner: "budgets",
    columns: { plain: "channel country currency" },
    kept: { until: "400 days are over" },
  },
  cost_looks: {
    owner: "budgets",
    columns: {},
    kept: { until: "the organisation is deleted" },
  },
  // objectives
  answer_counts: {
    owner: "objectives",
    columns: {},
    kept: { until: "100 days are over" },
  },
  code_marks: {
    owner: "objectives",
    columns: {},
    kept: { until: "16 hours are over" },
  },
  objective_alerts: {
    owner: "objectives",
    columns: { plain: "objective speed" },
    kept: { until: "400 days are over since its end" },
  },
  objective_settings: {
    owner: "objectives",
    columns: {},
    kept: { until: "the organisation is deleted" },
  },
  status_incidents: {
    owner: "objectives",
    columns: { authored: "title", plain: "state" },
    kept: { until: "400 days are over since it was resolved, or it is removed" },
  },
  status_pages: {
    owner: "objectives",
    columns: { authored: "slug" },
    kept: { until: "the organisation is deleted" },
  },
  status_updates: {
    owner: "objectives",
    columns: { authored: "text", plain: "state" },
    kept: { until: "its incident is removed" },
  },
  web_gaps: {
    owner: "objectives",
    columns: {},
    kept: { until: "100 days are over" },
  },
  web_presence: {
    owner: "objectives",
    columns: {},
    kept: { until: "the installation is removed" },
  },
  // exports
  export_chunks: {
    owner: "exports",
    columns: { file: "data" },
    kept: { until: "the file is deleted, a week after it was finished" },
  },
  exports: {
    owner: "exports",
    columns: {
      mention: "filter",
      member: "actor_name",
      plain: "kind state file_name rights columns problem actor_type",
    },
    kept: { days: 30, from: "the export has ended" },
  },
  // health
  connection_incidents: {
    owner: "health",
    columns: { mention: "detail", plain: "kind code" },
    kept: "metadata",
    blank: { detail: "NULL" },
  },
  // imports
  import_chunks: {
    owner: "imports",
    columns: { authored: "data" },
    kept: { until: "the import has ended, a week after it was brought at the latest" },
  },
  import_errors: {
    owner: "imports",
    columns: { authored: "column", plain: "code detail" },
    kept: { days: 90, from: "the import has ended" },
  },
  import_marks: {
    owner: "imports",
    columns: { plain: "data" },
    kept: { until: "the dry run has ended" },
  },
  imports: {
    owner: "imports",
    columns: {
      member: "actor_name",
      authored: "file_name mapping",
      plain: "kind state encoding delimiter problem actor_type",
    },
    kept: { days: 90, from: "the import has ended" },
  },
  // inbound
  conversations: {
    owner: "inbound",
    columns: { address: "address", authored: "own_address", plain: "channel" },
    kept: "content",
  },
  inbound_messages: {
    owner: "inbound",
    columns: { content: "text button", mention: "provider_message_id", plain: "kind opt_out" },
    kept: "content",
  },
  inbound_parts: {
    owner: "inbound",
    columns: { address: "address", authored: "own_address", content: "parts", plain: "channel" },
    kept: {
      until: "all parts of the message have come, or five minutes; whose it was for an hour, a day at most",
    },
  },
  // insights
  cost_deltas: {
    owner: "insights",
    columns: { plain: "kind source currency" },
    kept: { until: "folded, within seconds" },
  },
  metric_deltas: {
    owner: "insights",
    columns: {
      plain:
        "kind channel notification_type notification_subtype country mail_domain status code provider_code",
    },
    kept: { until: "folded, within seconds" },
  },
  rollup_costs: {
    owner: "insights",
    columns: { plain: "grain slice kind source currency" },
    kept: { until: "the organisation is deleted: totals name nobody" },
  },
  rollup_keys: {
    owner: "insights",
    columns: { plain: "slice channel notification_type notification_subtype country mail_domain" },
    kept: { until: "the organisation is deleted: they name nobody" },
  },
  rollup_packs: {
    owner: "insights",
    columns: { plain: "grain slice counts reasons costs" },
    kept: { until: "the organisation is deleted: totals name nobody" },
  },
  rollup_reasons: {
    owner: "insights",
    columns: { plain: "grain slice status code provider_code" },
    kept: { until: "the organisation is deleted: totals name nobody" },
  },
  rollups: {
    owner: "insights",
    columns: { plain: "grain slice" },
    kept: { until: "the organisation is deleted: totals name nobody" },
  },
  // links
  link_clicks: {
    owner: "links",
    columns: {},
    kept: { days: 730, from: "the day of the clicks" },
  },
  short_links: {
    owner: "links",
    columns: { content: "url", plain: "code short_url machine_reason" },
    kept: { until: "the link expires, as its environment's shortener says" },
  },
  shorteners: {
    owner: "links",
    columns: {
      authored: "settings",
      mention: "test_problem problem",
      sealed: "credentials",
      plain: "kind processing_region",
    },
    kept: { until: "the environment is deleted" },
    blank: { test_problem: "NULL", problem: "NULL" },
  },
  // notices
  notices: {
    owner: "notices",
    columns: { authored: "data", plain: "kind target_type" },
    kept: { days: 180, from: "the notice" },
  },
  // onboarding
  dismissed_checklists: { owner: "onboarding", columns: {}, kept: { until: "the member is removed" } },
  set_up_tokens: {
    owner: "onboarding",
    columns: { sealed: "nonce hash" },
    kept: { until: "there is an organisation" },
  },
  // pipelines
  pipeline_proposals: {
    owner: "pipelines",
    columns: { member: "actor_name", plain: "before stages loosens" },
    kept: { until: "it is decided or replaced" },
  },
  promotion_decisions: {
    owner: "pipelines",
    columns: { member: "actor_name", authored: "comment", plain: "actor_type decision" },
    kept: { until: "the application is deleted: it says who approved what is live" },
  },
  promotion_items: { owner: "pipelines", columns: {}, kept: { until: "the application is deleted" } },
  promotions: {
    owner: "pipelines",
    columns: {
      member: "requested_by_name deployed_by_name rolled_back_by_name",
      authored: "note rollback_note",
      plain: "state gates requested_by_type",
    },
    kept: { until: "the application is deleted: it says who took what live" },
  },
  // platform
  platform_channels: {
    owner: "platform",
    columns: {
      authored: "name settings",
      sealed: "credentials",
      plain: "adapter channels price_list processing_region",
    },
    kept: { until: "the operator deletes it" },
  },
  sending_holds: {
    owner: "platform",
    columns: { plain: "held_by reason" },
    kept: { until: "the operator releases sending" },
  },
  // privacy
  erasures: {
    owner: "privacy",
    columns: {
      sealed: "recipients digest",
      member: "requested_by_name",
      authored: "reference",
      plain: "state requested_by_type progress counts",
    },
    kept: {
      until: "the organisation is deleted: the report names nobody; the sealed addresses go with the erasure",
    },
  },
  retention_marks: {
    owner: "privacy",
    columns: { plain: "step problem" },
    kept: { until: "the organisation is deleted" },
  },
  // deliverability
  mail_standings: {
    owner: "deliverability",
    columns: { plain: "domain_group level cause", member: "released_by_name", authored: "release_note" },
    kept: { until: "the organisation is deleted" },
  },
  sender_domain_checks: {
    owner: "deliverability",
    columns: { plain: "domain spf dkim dmarc problem" },
    kept: { days: 7, from: "the last look-up: it is repeated daily while mails are sent from there" },
  },
  // recipient-limits
  recipient_limits: {
    owner: "recipient-limits",
    columns: { plain: "quiet_hours caps" },
    kept: { until: "the organisation is deleted" },
  },
  recipient_sends: {
    owner: "recipient-limits",
    columns: { plain: "class channel" },
    kept: { days: 30, from: "the message was sent" },
  },
  // routing
  routing_revisions: {
    owner: "routing",
    columns: { member: "actor_name", authored: "summary note rules", plain: "actor_type" },
    kept: { days: 730, from: "the change, but for the newest of an environment" },
  },
  routing_rules: {
    owner: "routing",
    columns: { authored: "name", plain: "region channel notification_type notification_subtype tiers" },
    kept: { until: "the rule is deleted" },
  },
  // sending
  address_word_marks: {
    owner: "sending",
    columns: {},
    kept: { until: "the organisation is deleted" },
  },
  address_words: {
    owner: "sending",
    columns: { words: "word address" },
    kept: "content",
  },
  attempts: {
    owner: "sending",
    columns: {
      mention: "detail provider_message provider_message_id",
      plain: "provider worker outcome code provider_code decision",
    },
    kept: "metadata",
    blank: { detail: "NULL", provider_message: "NULL", provider_message_id: "NULL" },
  },
  idempotency_keys: {
    owner: "sending",
    columns: { mention: "key", sealed: "body_hash", plain: "kind" },
    kept: "metadata",
  },
  notification_events: {
    owner: "sending",
    columns: { mention: "data", plain: "type" },
    kept: "metadata",
    blank: { data: "'{}'" },
  },
  notifications: {
    owner: "sending",
    columns: {
      address: "recipient",
      content: "variables",
      mention: "reason_detail failure provider_message_id",
      plain:
        "channel region country mail_domain language notification_type notification_subtype class status reason_code provider",
    },
    kept: "metadata",
    blank: {
      recipient: erased,
      variables: "redact_variables(variables)",
      reason_detail: "NULL",
      // The code stays, the words may name the recipient.
      failure:
        "CASE WHEN failure IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object('code', failure->'code', 'detail', 'Erased.', 'providerCode', failure->'providerCode')) END",
      // Some providers' ids contain the recipient's number.
      provider_message_id: "NULL",
    },
  },
  broadcast_recipients: {
    owner: "sending",
    columns: { plain: "channel state reason" },
    kept: "metadata",
  },
  broadcasts: {
    owner: "sending",
    columns: {
      authored: "name groups",
      member: "created_by_name paused_by_name",
      plain: "class state listing_after forecast problem created_by_type",
    },
    kept: "metadata",
  },
  send_approvals: {
    owner: "sending",
    columns: { mention: "reason", member: "decided_by_name", authored: "api_key_name", plain: "state" },
    kept: "content",
  },
  send_requests: {
    owner: "sending",
    columns: {
      content: "variables metadata",
      mention: "transaction_id",
      plain: "source actor_type region language notification_type notification_subtype trace_context",
    },
    kept: "metadata",
    blank: { variables: "redact_variables(variables)", metadata: "'{}'" },
  },
  template_tests: {
    owner: "sending",
    columns: { member: "actor_name" },
    kept: { until: "the template is deleted: a stage may ask for it" },
  },
  waiting_messages: {
    owner: "sending",
    columns: {},
    kept: { until: "the message has been sent or has ended" },
  },
  // sso
  identity_provider_rules: {
    owner: "sso",
    columns: { authored: "value", member: "created_by_name" },
    kept: { until: "the rule or the identity provider is removed" },
  },
  identity_providers: {
    owner: "sso",
    columns: {
      authored: "name issuer client_id scopes role_claim",
      member: "created_by_name",
      sealed: "client_secret",
      plain: "kind",
    },
    kept: { until: "the identity provider is removed" },
  },
  used_sign_in_states: {
    owner: "sso",
    columns: { sealed: "hash" },
    kept: { until: "ten minutes have passed, and somebody else signs in" },
  },
  // template-files
  template_import_items: {
    owner: "template-files",
    columns: { authored: "path content", plain: "action state problem" },
    kept: { days: 90, from: "the import has ended" },
  },
  template_imports: {
    owner: "template-files",
    columns: { member: "actor_name", authored: "note", plain: "state actor_type" },
    kept: { days: 90, from: "the import has ended" },
  },
  // templates
  template_deployments: {
    owner: "templates",
    columns: { member: "disabled_by", authored: "disabled_reason" },
    kept: { until: "the template is deleted" },
  },
  template_reviews: {
    owner: "templates",
    columns: { member: "reviewer_name" },
    kept: { until: "the application is deleted: what was promoted on its strength stays explained" },
  },
  template_versions: {
    owner: "templates",
    columns: {
      member: "author_name",
      authored: "subject body metadata variables compiled_body note",
      plain: "moderation provenance ai_model",
    },
    kept: { until: "the application is deleted: old messages show it" },
  },
  templates: {
    owner: "templates",
    columns: {
      authored: "name",
      plain: "notification_type notification_subtype channel region language provider",
    },
    kept: { until: "the application is deleted" },
  },
  whatsapp_approvals: {
    owner: "templates",
    columns: {
      member: "updated_by",
      authored: "template_name reason",
      plain: "language status source category next_category",
    },
    kept: { until: "the template is deleted" },
  },
  whatsapp_category_changes: {
    owner: "templates",
    columns: { authored: "template_name", plain: "language previous category" },
    kept: { until: "the organisation is deleted: few, and what consent was asked by" },
  },
  // tenancy
  applications: {
    owner: "tenancy",
    columns: { authored: "name title", plain: "default_region default_language" },
    kept: { until: "it is deleted" },
  },
  brand_logos: {
    owner: "tenancy",
    columns: { authored: "picture", plain: "digest kind" },
    kept: { until: "it is replaced or removed" },
  },
  brandings: {
    owner: "tenancy",
    columns: { authored: "sender_name support", plain: "accent" },
    kept: { until: "the organisation is deleted" },
  },
  environments: {
    owner: "tenancy",
    columns: { authored: "slug name", plain: "kind" },
    kept: { until: "it is deleted" },
  },
  notification_types: {
    owner: "tenancy",
    columns: { authored: "type subtypes", plain: "class" },
    kept: { until: "it is deleted" },
  },
  organization_units: {
    owner: "tenancy",
    columns: { authored: "slug name" },
    kept: { until: "it is deleted" },
  },
  pipeline_stages: {
    owner: "tenancy",
    columns: { plain: "gates" },
    kept: { until: "the application is deleted" },
  },
  tenant_permits: {
    owner: "tenancy",
    columns: { authored: "slug", sealed: "hash" },
    kept: { until: "it is used, or a minute is over" },
  },
  tenants: {
    owner: "tenancy",
    columns: { authored: "slug name settings", sealed: "data_key", plain: "data_region platform_fees" },
    kept: { until: "the organisation is deleted" },
  },
  // webhooks
  feed_events: {
    owner: "webhooks",
    columns: { content: "payload", plain: "event" },
    kept: { days: 30, from: "it was written" },
  },
  webhook_attempts: {
    owner: "webhooks",
    columns: { mention: "error response_body", plain: "signature traceparent" },
    kept: "webhookLog",
    blank: { error: "NULL", response_body: "NULL" },
  },
  webhook_deliveries: {
    owner: "webhooks",
    columns: { content: "payload", mention: "last_error", plain: "event state" },
    kept: "webhookLog",
    blank: { last_error: "NULL" },
  },
  webhook_endpoints: {
    owner: "webhooks",
    columns: {
      authored: "url description",
      mention: "disabled_reason",
      sealed: "secret previous_secret",
      plain: "events",
    },
    kept: { until: "the endpoint is deleted" },
  },
  // worker
  sweep_reports: {
    owner: "worker",
    columns: {},
    kept: { until: "the next look of the safety net" },
  },
  worker_processes: {
    owner: "worker",
    columns: { plain: "name lanes pools" },
    kept: { until: "the process has ended" },
  },
};

/** The columns of a table that hold one of these kinds. */
export function columnsOf(table: string, kinds: readonly Holds[]): string[] {
  const rule = registry[table];
  if (!rule) throw new Error(`the registry of personal data has no table ${table}`);
  return kinds.flatMap((kind) => rule.columns[kind]?.split(" ") ?? []);
}
