-- Trigger of contact_group_members: a group that is a list of contacts knows how many they are, whatever adds or removes them.
-- Owner: contacts.
CREATE OR REPLACE FUNCTION count_group_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contact_groups g SET size = coalesce(g.size, 0) + CASE TG_OP WHEN 'INSERT' THEN x.changed ELSE - x.changed END, counted_at = now()
  FROM (SELECT tenant_id, group_id, count(*)::int AS changed FROM changed_members GROUP BY 1, 2) x
  WHERE g.tenant_id = x.tenant_id AND g.id = x.group_id;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION count_group_members FROM PUBLIC, tidings_web, tidings_worker;

CREATE OR REPLACE TRIGGER count_new_members AFTER INSERT ON contact_group_members
  REFERENCING NEW TABLE AS changed_members FOR EACH STATEMENT EXECUTE FUNCTION count_group_members();
CREATE OR REPLACE TRIGGER count_removed_members AFTER DELETE ON contact_group_members
  REFERENCING OLD TABLE AS changed_members FOR EACH STATEMENT EXECUTE FUNCTION count_group_members();
