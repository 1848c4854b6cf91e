-- Of no tenant: the live worker processes.
REVOKE ALL ON worker_processes FROM tidings_web, tidings_worker;
GRANT SELECT ON worker_processes TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_processes TO tidings_worker;

REVOKE ALL ON sweep_reports FROM tidings_web, tidings_worker;
GRANT SELECT, INSERT, UPDATE ON sweep_reports TO tidings_worker;
