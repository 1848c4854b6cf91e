-- Two histograms as one. A histogram is a list of bucket << 40 | count, by bucket, as latency_bucket() numbers them; NULL
-- when nothing was measured. Owner: insights.
CREATE OR REPLACE FUNCTION merge_histograms(p_one bigint[], p_other bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_other IS NULL THEN p_one WHEN p_one IS NULL THEN p_other ELSE (
    SELECT array_agg((bucket << 40) | count ORDER BY bucket)
    FROM (SELECT entry >> 40 AS bucket, sum(entry & 1099511627775)::bigint AS count FROM unnest(p_one || p_other) AS entry GROUP BY 1) AS merged) END
$$;
