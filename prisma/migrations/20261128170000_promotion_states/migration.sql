-- What its requester ended was called rejected.
UPDATE "promotions" p SET "state" = 'withdrawn' FROM "promotion_decisions" d
WHERE p."state" = 'rejected' AND d."tenant_id" = p."tenant_id" AND d."promotion_id" = p."id" AND d."decision" = 'reject'
  AND d."person_id" = p."requested_by_person_id";

-- What was approved and waits for a last gate was to be deployed by a person then, and still is: nothing of before goes live by itself.
UPDATE "promotions" SET "automatic" = false WHERE "state" = 'approved';
