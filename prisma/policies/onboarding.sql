SELECT protect_table('dismissed_checklists');
GRANT SELECT, INSERT, DELETE ON dismissed_checklists TO tidings_web, tidings_worker;

-- set_up_tokens belongs to no tenant and is the owner's: set_up_token(), create_first_tenant() and end_set_up() write it.
