DROP FUNCTION IF EXISTS requested_sends(jsonb); -- none was appended to
-- The requests that accept_sends() takes, as rows.
-- Owner: sending.
CREATE OR REPLACE FUNCTION requested_sends(p_requests jsonb) RETURNS TABLE (
  id uuid, environment_id uuid, application_id uuid, unit_id uuid, sandbox boolean, held boolean, appended boolean, source text, actor_type text, actor_id uuid,
  transaction_id text, region text, language text, type text, subtype text, class text, variables jsonb, metadata jsonb,
  scheduled_at timestamptz, expires_at timestamptz, task text, priority int, messages jsonb, trace_context text) LANGUAGE sql STABLE AS $$
  SELECT r.id, r."environmentId", r."applicationId", r."unitId", r.sandbox, r.held, r.appended, r.source, r."actorType", r."actorId",
    r."transactionId", r.region, r.language, r.type, r.subtype, r.class, r.variables, r.metadata,
    r."scheduledAt", r."expiresAt", r.task, r.priority, r.messages, r."traceContext"
  FROM jsonb_to_recordset(p_requests) AS r(id uuid, "environmentId" uuid, "applicationId" uuid, "unitId" uuid, sandbox boolean,
    held boolean, appended boolean, source text, "actorType" text, "actorId" uuid, "transactionId" text, region text, language text, type text, subtype text,
    class text, variables jsonb, metadata jsonb, "scheduledAt" timestamptz, "expiresAt" timestamptz, task text, priority int,
    messages jsonb, "traceContext" text)
$$;
