-- Goes on with the deletion of an organisation that is due: at most so many rows, of every table with a column tenant_id, so
-- that none can be forgotten. When a pass is through, the organisation itself goes. A second pass, ten minutes later, takes what
-- came in late; then the operators' log says what was removed. Answers whether there is more to do now.
-- Owner: console.
CREATE OR REPLACE FUNCTION delete_organisation(p_organisation uuid, p_limit int) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_asked organisation_deletions;
  v_room int := least(p_limit, 5000);
  v_count int;
  v_table record;
BEGIN
  SELECT * INTO v_asked FROM organisation_deletions WHERE organisation = p_organisation FOR UPDATE;
  IF NOT FOUND OR v_asked.due_at > now() OR is_running_tenant(p_organisation)
     OR v_asked.emptied_at > now() - interval '10 minutes' THEN
    RETURN false;
  END IF;
  v_asked.started_at := coalesce(v_asked.started_at, now());
  FOR v_table IN
    SELECT c.oid::regclass AS leaf, c.relname::text COLLATE "C" AS leaf_name, coalesce(parent.relname, c.relname)::text AS name
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    LEFT JOIN pg_class parent ON parent.oid = i.inhparent
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname::text COLLATE "C" >= v_asked.at_table COLLATE "C"
    ORDER BY 2
  LOOP
    v_asked.at_table := v_table.leaf_name;
    EXECUTE format('DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE tenant_id = $1 LIMIT $2))', v_table.leaf)
      USING p_organisation, v_room;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count > 0 THEN
      v_asked.removed := v_asked.removed
        || jsonb_build_object(v_table.name, coalesce((v_asked.removed->>v_table.name)::bigint, 0) + v_count);
    END IF;
    v_room := v_room - v_count;
    EXIT WHEN v_room <= 0;
  END LOOP;
  IF v_room > 0 THEN
    PERFORM delete_jobs_of(p_organisation);
    IF v_asked.emptied_at IS NOT NULL THEN
      INSERT INTO operator_events (id, at, operator_name, action, organisation, organisation_slug, request_id, data)
      VALUES (uuidv7_new(), now(), 'Worker', 'organisation.deleted', p_organisation, v_asked.organisation_slug,
              gen_random_uuid()::text, jsonb_build_object('removed', v_asked.removed));
      DELETE FROM organisation_deletions WHERE organisation = p_organisation;
      RETURN false;
    END IF;
    PERFORM remove_tenant(p_organisation);
    v_asked.emptied_at := now();
    v_asked.at_table := '';
  END IF;
  UPDATE organisation_deletions
  SET started_at = v_asked.started_at, emptied_at = v_asked.emptied_at, at_table = v_asked.at_table, removed = v_asked.removed,
    tables_left = CASE WHEN v_asked.emptied_at IS NULL THEN (
      SELECT count(DISTINCT coalesce(i.inhparent, c.oid)) FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
      LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname::text COLLATE "C" >= v_asked.at_table COLLATE "C")
      ELSE 0 END
  WHERE organisation = p_organisation;
  RETURN v_asked.emptied_at IS NULL;
END
$$;
REVOKE ALL ON FUNCTION delete_organisation FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION delete_organisation TO tidings_worker;
