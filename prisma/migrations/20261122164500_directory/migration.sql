-- An organisation's directory writes people and groups over SCIM: what it has proven to be its own, what it shows, what it says
-- of people, and which roles its groups give.
ALTER TABLE "users" ADD COLUMN "deactivated_at" TIMESTAMPTZ(3);

-- The same role may be given by a person and by the directory, each for itself.
ALTER TABLE "role_assignments" ADD COLUMN "from_directory" BOOLEAN NOT NULL DEFAULT false;
DROP INDEX "role_assignments_tenant_id_user_id_role_id_unit_id_key";
CREATE UNIQUE INDEX "role_assignments_place_key"
  ON "role_assignments"("tenant_id", "user_id", "role_id", "unit_id", "from_directory") NULLS NOT DISTINCT;

CREATE TABLE "domains" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "claimed_name" TEXT,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "domains_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "domains_tenant_id_name_key" ON "domains"("tenant_id", "name");
CREATE UNIQUE INDEX "domains_claimed_name_key" ON "domains"("claimed_name");

CREATE TABLE "scim_tokens" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "scim_tokens_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "directory_people" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "user_name_key" TEXT NOT NULL,
    "external_id" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    "display_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "directory_people_pkey" PRIMARY KEY ("tenant_id","user_id")
);
CREATE UNIQUE INDEX "directory_people_tenant_id_user_name_key_key" ON "directory_people"("tenant_id", "user_name_key");
CREATE UNIQUE INDEX "directory_people_tenant_id_external_id_key" ON "directory_people"("tenant_id", "external_id");

CREATE TABLE "directory_groups" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "directory_groups_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "directory_groups_tenant_id_external_id_key" ON "directory_groups"("tenant_id", "external_id");
CREATE INDEX "directory_groups_tenant_id_name_id_idx" ON "directory_groups"("tenant_id", "name", "id");

CREATE TABLE "directory_group_members" (
    "tenant_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "directory_group_members_pkey" PRIMARY KEY ("tenant_id","group_id","user_id")
);
CREATE INDEX "directory_group_members_tenant_id_user_id_idx" ON "directory_group_members"("tenant_id", "user_id");

CREATE TABLE "directory_mappings" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "role_id" UUID NOT NULL,
    "unit_id" UUID,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "directory_mappings_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "directory_mappings_tenant_id_group_id_role_id_unit_id_key"
  ON "directory_mappings"("tenant_id", "group_id", "role_id", "unit_id") NULLS NOT DISTINCT;
CREATE INDEX "directory_mappings_tenant_id_role_id_idx" ON "directory_mappings"("tenant_id", "role_id");
