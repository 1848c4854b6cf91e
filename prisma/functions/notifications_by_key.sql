-- The notifications of these keys, each looked up by its key, whatever the planner knows or does not know of a partition.
-- Owner: sending.
CREATE OR REPLACE FUNCTION notifications_by_key(p_tenants uuid[], p_ids uuid[]) RETURNS SETOF notifications
LANGUAGE plpgsql STABLE ROWS 100 SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT n.* FROM unnest(p_tenants, p_ids) AS wanted(tenant_id, id)
    CROSS JOIN LATERAL (SELECT * FROM notifications n WHERE n.tenant_id = wanted.tenant_id AND n.id = wanted.id OFFSET 0) n;
END
$$;
REVOKE ALL ON FUNCTION notifications_by_key FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION notifications_by_key TO tidings_worker;
