SELECT protect_table('templates');
SELECT protect_table('template_versions');
SELECT protect_table('template_deployments');
SELECT protect_table('whatsapp_approvals');
GRANT SELECT, INSERT, UPDATE, DELETE ON templates, template_deployments, whatsapp_approvals TO tidings_web, tidings_worker;
SELECT protect_table('whatsapp_category_changes');
SELECT protect_table('template_reviews');
-- Written once.
GRANT SELECT, INSERT ON template_versions, template_reviews, whatsapp_category_changes TO tidings_web;
GRANT SELECT, INSERT, DELETE ON template_versions, template_reviews, whatsapp_category_changes TO tidings_worker;
