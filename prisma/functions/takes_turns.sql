-- Tasks of which every tenant may cause any number: within a lane, tenants take turns.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION takes_turns(p_task text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT starts_with(p_task, 'deliver_') OR starts_with(p_task, 'post_')
$$;
