-- What is fetched back when a hold ends, and counted while it lasts; of other messages it has none.
CREATE INDEX notifications_mail_hold_idx ON notifications (tenant_id, due_at) WHERE reason_code = 'mail_hold' AND due_at IS NOT NULL;
