-- CreateTable
CREATE TABLE "idempotent_answers" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "request" BYTEA NOT NULL,
    "answer" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answers_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "idempotent_answers_expires_at_idx" ON "idempotent_answers"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "idempotent_answers_tenant_id_api_key_id_key_hash_key" ON "idempotent_answers"("tenant_id", "api_key_id", "key_hash");
