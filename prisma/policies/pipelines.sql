SELECT protect_table('promotions');
SELECT protect_table('promotion_items');
SELECT protect_table('promotion_decisions');
SELECT protect_table('pipeline_proposals');
-- What was requested, by whom and through which gates is written once, and so are decisions.
GRANT SELECT, INSERT, UPDATE (state, decided_at, deployed_at, deployed_by_name, rolled_back_at, rolled_back_by_name, rollback_note)
  ON promotions TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON promotion_items TO tidings_web;
GRANT SELECT, INSERT ON promotion_decisions TO tidings_web;
GRANT SELECT, INSERT, DELETE ON pipeline_proposals TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON promotions, promotion_items TO tidings_worker;
GRANT SELECT, INSERT, DELETE ON promotion_decisions TO tidings_worker;
GRANT SELECT, DELETE ON pipeline_proposals TO tidings_worker;
