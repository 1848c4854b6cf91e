-- Members are invited, suspended for a while and given several roles; a role says who gave it.
ALTER TABLE "users" ADD COLUMN "removed_at" TIMESTAMPTZ(3);
-- Until now nobody was suspended.
UPDATE "users" SET "removed_at" = "disabled_at" WHERE "disabled_at" IS NOT NULL;
CREATE INDEX "users_tenant_id_name_id_idx" ON "users"("tenant_id", "name", "id");

ALTER TABLE "roles" ADD COLUMN "description" TEXT NOT NULL DEFAULT '';

ALTER TABLE "role_assignments" ADD COLUMN "granted_by_id" UUID, ADD COLUMN "granted_by_name" TEXT;
DELETE FROM "role_assignments" a USING "role_assignments" b
WHERE a.tenant_id = b.tenant_id AND a.user_id = b.user_id AND a.role_id = b.role_id
  AND a.unit_id IS NOT DISTINCT FROM b.unit_id AND a.id > b.id;
DROP INDEX "role_assignments_tenant_id_user_id_idx";
CREATE UNIQUE INDEX "role_assignments_tenant_id_user_id_role_id_unit_id_key"
  ON "role_assignments"("tenant_id", "user_id", "role_id", "unit_id") NULLS NOT DISTINCT;
CREATE INDEX "role_assignments_tenant_id_role_id_idx" ON "role_assignments"("tenant_id", "role_id");

CREATE TABLE "invitations" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "assignments" JSONB NOT NULL,
    "token_hash" BYTEA,
    "invited_by_id" UUID,
    "invited_by_name" TEXT NOT NULL,
    "links" INTEGER NOT NULL DEFAULT 1,
    "linked_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
