-- Organisations' own identity providers: how they are reached, which roles their claims give, who somebody is there.
ALTER TABLE "sessions" ADD COLUMN "provider_id" UUID;

-- The same role may be given by a person, by the directory and by a provider, each for itself.
ALTER TABLE "role_assignments" ADD COLUMN "provider_id" UUID;
DROP INDEX "role_assignments_place_key";
CREATE UNIQUE INDEX "role_assignments_place_key"
  ON "role_assignments"("tenant_id", "user_id", "role_id", "unit_id", "from_directory", "provider_id") NULLS NOT DISTINCT;

-- Where every way was allowed, the new one is.
UPDATE "sign_in_policies" SET "ways" = array_append("ways", 'identity_provider')
WHERE "ways" @> ARRAY['password', 'single_sign_on'];

CREATE TABLE "external_identities" (
    "tenant_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "external_identities_pkey" PRIMARY KEY ("tenant_id","provider_id","subject")
);
CREATE UNIQUE INDEX "external_identities_tenant_id_user_id_provider_id_key"
  ON "external_identities"("tenant_id", "user_id", "provider_id");

CREATE TABLE "identity_providers" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" BYTEA NOT NULL,
    "scopes" TEXT NOT NULL,
    "role_claim" TEXT NOT NULL,
    "admits" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_providers_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "identity_providers_tenant_id_name_key" ON "identity_providers"("tenant_id", "name");

CREATE TABLE "identity_provider_rules" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "value" TEXT,
    "role_id" UUID NOT NULL,
    "unit_id" UUID,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_provider_rules_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "identity_provider_rules_place_key"
  ON "identity_provider_rules"("tenant_id", "provider_id", "value", "role_id", "unit_id") NULLS NOT DISTINCT;
CREATE INDEX "identity_provider_rules_tenant_id_role_id_idx" ON "identity_provider_rules"("tenant_id", "role_id");

CREATE TABLE "used_sign_in_states" (
    "tenant_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_sign_in_states_pkey" PRIMARY KEY ("tenant_id","hash")
);
CREATE INDEX "used_sign_in_states_tenant_id_expires_at_idx" ON "used_sign_in_states"("tenant_id", "expires_at");
