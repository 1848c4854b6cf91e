-- Whether a contact is in a group that has this filter: { all: [condition], any: [condition] }, a condition being
-- { field: region|language|timeZone|attribute, name, op, value }. All of `all` and, if there are any, one of `any` must hold. What
-- cannot be read holds for nobody, and neither does a filter without conditions. Texts are compared without regard to case; what
-- is empty is not set. The words are those of server/contacts/schemas.ts.
-- Owner: contacts.
CREATE OR REPLACE FUNCTION contact_matches(p_filter jsonb, p_region text, p_language text, p_time_zone text, p_attributes jsonb)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT count(*) > 0 AND coalesce(bool_and(m.holds) FILTER (WHERE m.needed), true)
    AND coalesce(bool_or(m.holds) FILTER (WHERE NOT m.needed), true)
  FROM (
    SELECT c.needed, coalesce(CASE c.condition->>'op'
      WHEN 'is' THEN lower(has.v) = lower(c.condition->>'value')
      WHEN 'is_not' THEN lower(has.v) IS DISTINCT FROM lower(c.condition->>'value')
      WHEN 'contains' THEN strpos(lower(has.v), lower(c.condition->>'value')) > 0
      WHEN 'starts_with' THEN starts_with(lower(has.v), lower(c.condition->>'value'))
      WHEN 'is_set' THEN has.v IS NOT NULL
      WHEN 'is_not_set' THEN has.v IS NULL
      WHEN 'one_of' THEN CASE WHEN jsonb_typeof(c.condition->'value') = 'array' THEN lower(has.v) IN (
        SELECT lower(x) FROM jsonb_array_elements_text(c.condition->'value') AS x) END
      ELSE CASE
        WHEN c.condition->>'op' NOT IN ('greater', 'less') THEN false
        -- A number is compared with numbers, a day with days.
        WHEN jsonb_typeof(c.condition->'value') = 'number' THEN CASE WHEN has.v ~ '^-?[0-9]{1,15}([.][0-9]{1,10})?$' THEN
          CASE c.condition->>'op' WHEN 'greater' THEN has.v::numeric > (c.condition->>'value')::numeric
            ELSE has.v::numeric < (c.condition->>'value')::numeric END END
        WHEN has.v ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}($|T)' THEN
          CASE c.condition->>'op' WHEN 'greater' THEN left(has.v, 10) COLLATE "C" > (c.condition->>'value') COLLATE "C"
            ELSE left(has.v, 10) COLLATE "C" < (c.condition->>'value') COLLATE "C" END
      END
    END, false) AS holds
    FROM (
      SELECT true AS needed, jsonb_array_elements(CASE WHEN jsonb_typeof(p_filter->'all') = 'array' THEN p_filter->'all' END) AS condition
      UNION ALL
      SELECT false, jsonb_array_elements(CASE WHEN jsonb_typeof(p_filter->'any') = 'array' THEN p_filter->'any' END)
    ) c
    CROSS JOIN LATERAL (SELECT nullif(CASE c.condition->>'field'
      WHEN 'region' THEN p_region
      WHEN 'language' THEN p_language
      WHEN 'timeZone' THEN p_time_zone
      WHEN 'attribute' THEN p_attributes->>(c.condition->>'name')
    END, '') AS v) has
  ) m
$$;
REVOKE ALL ON FUNCTION contact_matches FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION contact_matches TO tidings_web, tidings_worker;
