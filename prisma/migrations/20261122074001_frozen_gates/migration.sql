-- The gates of a promotion are those that stood when it was requested. Open ones get those of the present pipeline.
ALTER TABLE "promotions" ADD COLUMN "gates" JSONB;
UPDATE promotions p SET gates = s.gates
FROM pipeline_stages s
WHERE s.tenant_id = p.tenant_id AND s.application_id = p.application_id AND s.environment_id = p.to_environment_id
  AND p.state IN ('pending', 'approved');
-- Of those that are decided they are not asked any more.
UPDATE promotions SET gates = '{}' WHERE gates IS NULL;
ALTER TABLE "promotions" ALTER COLUMN "gates" SET NOT NULL;

-- What was requested, by whom and through which gates is written once.
REVOKE UPDATE ON promotions FROM tidings_web;
GRANT UPDATE (state, decided_at, deployed_at, deployed_by_name, rolled_back_at, rolled_back_by_name, rollback_note)
  ON promotions TO tidings_web;

-- A change of a pipeline that loosens it, waiting for a second person: at most one for an application.
CREATE TABLE "pipeline_proposals" (
    "tenant_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "before" JSONB NOT NULL,
    "stages" JSONB NOT NULL,
    "loosens" TEXT[],
    "person_id" UUID NOT NULL,
    "actor_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pipeline_proposals_pkey" PRIMARY KEY ("tenant_id","application_id")
);
SELECT protect_table('pipeline_proposals', 'tenant_id');
GRANT SELECT, INSERT, DELETE ON pipeline_proposals TO tidings_web;
GRANT SELECT, DELETE ON pipeline_proposals TO tidings_worker;
