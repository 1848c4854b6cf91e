-- Which of the expected migrations and SQL files are not applied yet: a process checks this before it is ready. The
-- roles may not read the tables behind it; a database without them was never migrated.
--   p_expected   names of migrations and hashes of files; one that was applied and replaced since counts as applied
-- Owner: kernel.
CREATE OR REPLACE FUNCTION pending_migrations(p_expected text[]) RETURNS text[] LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  RETURN ARRAY(SELECT e FROM unnest(p_expected) AS e
    WHERE NOT EXISTS (SELECT FROM _applied_sql s WHERE s.hash = e)
      AND NOT EXISTS (SELECT FROM _prisma_migrations m
                      WHERE m.migration_name = e AND m.finished_at IS NOT NULL AND m.rolled_back_at IS NULL));
EXCEPTION WHEN undefined_table THEN
  RETURN p_expected;
END
$$;
REVOKE ALL ON FUNCTION pending_migrations FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION pending_migrations TO tidings_web, tidings_worker;
