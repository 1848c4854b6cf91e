SELECT protect_table('budgets');
SELECT protect_table('budget_alerts');
SELECT protect_table('cost_anomalies');
SELECT protect_table('cost_looks');
GRANT SELECT, INSERT, UPDATE, DELETE ON budgets TO tidings_web, tidings_worker;
-- Only the worker tells; a budget of another amount is told anew.
GRANT SELECT, DELETE ON budget_alerts TO tidings_web;
GRANT SELECT ON cost_anomalies, cost_looks TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_alerts, cost_anomalies, cost_looks TO tidings_worker;
