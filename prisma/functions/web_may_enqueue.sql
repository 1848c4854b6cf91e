-- Whether the caller may add this job: the worker and the owner any, the web's role those of its own tenant that its use
-- cases add; the console's what its trigger adds. Meant for enqueue_jobs, which runs as its owner: who calls is the role that was set, else the login.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION web_may_enqueue(p_task text, p_payload jsonb) RETURNS boolean LANGUAGE sql STABLE
SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN c.role = 'tidings_worker' THEN true
              WHEN c.role <> 'tidings_web' AND EXISTS (
                SELECT FROM pg_class t JOIN pg_roles o ON o.oid = t.relowner
                WHERE t.oid = 'tenants'::regclass AND o.rolname = c.role) THEN true
              WHEN p_task = 'carry_out_channel_request' THEN pg_has_role(c.role, 'tidings_console', 'USAGE')
              ELSE p_task IN ('count_contact_group', 'deliver_otp', 'deliver_transactional', 'deliver_bulk', 'deliver_sandbox', 'deliver_webhook', 'erase_recipients', 'export_rows', 'import_rows', 'import_templates',
                              'post_confirmation', 'post_recipient_action', 'post_simulated_callback', 'post_word_reply', 'report_link_problem')
                   AND coalesce(p_payload ->> 'tenantId' = current_tenant()::text, false)
         END
  FROM (SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END AS role) AS c
$$;
REVOKE ALL ON FUNCTION web_may_enqueue FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION web_may_enqueue TO tidings_web, tidings_worker;
