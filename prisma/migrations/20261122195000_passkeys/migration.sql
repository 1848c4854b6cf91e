-- Passkeys: a way to sign in that counts as both factors.
ALTER TABLE "users" ADD COLUMN "passkey_handle" BYTEA;

CREATE TABLE "passkeys" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

CREATE INDEX "passkeys_tenant_id_user_id_idx" ON "passkeys"("tenant_id", "user_id");

CREATE TABLE "passkey_challenges" (
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY ("hash")
);

CREATE INDEX "passkey_challenges_expires_at_idx" ON "passkey_challenges"("expires_at");

-- Who allowed every way there was allows this one, which asks for more than a password does.
UPDATE "sign_in_policies" SET "ways" = array_append("ways", 'passkey')
WHERE "ways" @> '{password,single_sign_on}';
