-- After the first rows of the tables of contacts: tells the planner that there are some. Until the first ANALYZE it takes any number of
-- an organisation's rows for one, picks an index by chance, and checks each foreign key by reading all of them; a first import of many
-- contacts would be over before autovacuum comes by. Does nothing any more afterwards.
-- Owner: contacts.
CREATE OR REPLACE FUNCTION analyze_new_contacts() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = 'contacts'::regclass AND reltuples < 1) THEN
    ANALYZE contacts, contact_addresses, contact_group_members;
  END IF;
END
$$;
REVOKE ALL ON FUNCTION analyze_new_contacts FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION analyze_new_contacts TO tidings_web, tidings_worker;
