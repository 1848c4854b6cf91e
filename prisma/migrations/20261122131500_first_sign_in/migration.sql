-- CreateTable
CREATE TABLE "password_links" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_links_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "set_up_tokens" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "nonce" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "set_up_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dismissed_checklists" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dismissed_checklists_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateIndex
CREATE INDEX "password_links_tenant_id_user_id_idx" ON "password_links"("tenant_id", "user_id");
