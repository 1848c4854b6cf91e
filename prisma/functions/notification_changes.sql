DROP FUNCTION IF EXISTS notification_changes(jsonb); -- its columns had the names of the JSON
-- The changes that advance_notifications() takes, as rows: `reached` is its "to", `next_at` its "dueAt". That there is one
-- (ROWS 1) is not true, but makes every plan look each change up by its key: a plan made while a partition was small or new must
-- not read it whole later. VOLATILE, so that the estimate is not lost by the function becoming part of the statement.
-- Owner: sending.
CREATE OR REPLACE FUNCTION notification_changes(p_changes jsonb) RETURNS TABLE (
  tenant_id uuid, id uuid, at timestamptz, reached text, claim boolean, worker text, attempt int, outcome text, code text,
  detail text, provider_code text, provider_message text, connection_id uuid, provider text, provider_message_id text,
  segments int, final boolean, reason jsonb, failure jsonb, data jsonb, price jsonb, price_attempt int, next_at timestamptz,
  task text, priority int, jobs jsonb, policy text, token text, consent_class text, decision jsonb) LANGUAGE sql VOLATILE ROWS 1 AS $$
  SELECT * FROM jsonb_to_recordset(p_changes) AS x(
    "tenantId" uuid, id uuid, at timestamptz, "to" text, claim boolean, worker text, attempt int, outcome text, code text,
    detail text, "providerCode" text, "providerMessage" text, "connectionId" uuid, provider text, "providerMessageId" text,
    segments int, final boolean, reason jsonb, failure jsonb, data jsonb, price jsonb, "priceAttempt" int, "dueAt" timestamptz,
    task text, priority int, jobs jsonb, policy text, token text, "consentClass" text, decision jsonb)
$$;
REVOKE ALL ON FUNCTION notification_changes FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION notification_changes TO tidings_web, tidings_worker;
