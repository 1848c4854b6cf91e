-- The lanes that no process gets on with now: what is accepted for them waits. The lanes are those of worker/lanes.ts.
-- Owner: worker.
CREATE OR REPLACE FUNCTION lanes_without_worker() RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(lane), '{}')
  FROM unnest(ARRAY['otp', 'transactional', 'bulk', 'sandbox', 'webhook', 'maintenance']) AS lane
  WHERE NOT EXISTS (SELECT FROM worker_processes p WHERE lane = ANY (p.lanes) AND p.given_up_at IS NULL
                    AND p.beat_at > clock_timestamp() - interval '10 seconds')
$$;
