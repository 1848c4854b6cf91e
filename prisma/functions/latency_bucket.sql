-- Quarter octaves of milliseconds: bucket b holds latencies up to 2^(b/4) ms. In floating point: a numeric logarithm
-- takes longer than all else that is done for a message here.
-- Owner: insights.
CREATE OR REPLACE FUNCTION latency_bucket(p_latency interval) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_latency IS NULL THEN -1 ELSE
    ceil(round((4 * ln(greatest(extract(epoch FROM p_latency)::float8 * 1000, 1)) / ln(2::float8))::numeric, 9))::smallint END
$$;
