-- Whether a contact is in a group that has this filter: { all: [condition], any: [condition] }, a condition being
-- { field: region|language|timeZone|attribute, name, op, value }. All of `all` and, if there are any, one of `any` must hold. What
-- cannot be read holds for nobody, and neither does a filter without conditions. Texts are compared without regard to case; what
-- is empty is not set. The words are those of server/contacts/schemas.ts.
-- Owner: contacts.
CREATE OR REPLACE FUNCTION contact_matches(p_filter jsonb, p_region text, p_language text, p_time_zone text, p_attributes jsonb)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  -- Asked for each of a million contacts: expressions without a query are several times faster here than a statement.
  v_all int := CASE WHEN jsonb_typeof(p_filter->'all') = 'array' THEN jsonb_array_length(p_filter->'all') ELSE 0 END;
  v_any int := CASE WHEN jsonb_typeof(p_filter->'any') = 'array' THEN jsonb_array_length(p_filter->'any') ELSE 0 END;
  v_one jsonb; v_op text; v_has text; v_low text; v_value text; v_holds boolean;
BEGIN
  IF v_all + v_any = 0 THEN RETURN false; END IF;
  FOR i IN 0 .. v_all + v_any - 1 LOOP
    v_one := CASE WHEN i < v_all THEN p_filter->'all'->i ELSE p_filter->'any'->(i - v_all) END;
    v_op := v_one->>'op';
    v_value := v_one->>'value';
    v_has := nullif(CASE v_one->>'field' WHEN 'region' THEN p_region WHEN 'language' THEN p_language WHEN 'timeZone' THEN p_time_zone
      WHEN 'attribute' THEN p_attributes->>(v_one->>'name') END, '');
    v_low := lower(v_has);
    v_holds := coalesce(CASE v_op
      WHEN 'is' THEN v_low = lower(v_value)
      WHEN 'is_not' THEN v_low IS DISTINCT FROM lower(v_value)
      WHEN 'contains' THEN strpos(v_low, lower(v_value)) > 0
      WHEN 'starts_with' THEN starts_with(v_low, lower(v_value))
      WHEN 'is_set' THEN v_has IS NOT NULL
      WHEN 'is_not_set' THEN v_has IS NULL
      ELSE false END, false);
    IF v_op = 'one_of' AND jsonb_typeof(v_one->'value') = 'array' THEN
      FOR k IN 0 .. jsonb_array_length(v_one->'value') - 1 LOOP
        v_holds := v_holds OR coalesce(v_low = lower(v_one->'value'->>k), false);
      END LOOP;
    ELSIF v_op IN ('greater', 'less') THEN
      -- A number is compared with numbers, a day with days.
      IF jsonb_typeof(v_one->'value') = 'number' THEN
        IF v_has ~ '^-?[0-9]{1,15}([.][0-9]{1,10})?$' THEN
          v_holds := CASE v_op WHEN 'greater' THEN v_has::numeric > v_value::numeric ELSE v_has::numeric < v_value::numeric END;
        END IF;
      ELSIF v_has ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}($|T)' THEN
        v_holds := coalesce(CASE v_op WHEN 'greater' THEN left(v_has, 10) COLLATE "C" > v_value COLLATE "C"
          ELSE left(v_has, 10) COLLATE "C" < v_value COLLATE "C" END, false);
      END IF;
    END IF;
    IF i < v_all THEN
      IF NOT v_holds THEN RETURN false; END IF;
    ELSIF v_holds THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN v_any = 0;
END
$$;
REVOKE ALL ON FUNCTION contact_matches FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION contact_matches TO tidings_web, tidings_worker;
