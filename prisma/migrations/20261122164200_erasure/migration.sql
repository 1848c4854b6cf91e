-- Erasing recipients: the requests for it, and the key by which a no outlives an address.
CREATE TABLE "consent_keys" (
    "tenant_id" UUID NOT NULL,
    "key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consent_keys_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "erasures" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "recipients" BYTEA,
    "digest" BYTEA,
    "addresses" INTEGER NOT NULL,
    "reference" TEXT,
    "requested_by_type" TEXT NOT NULL,
    "requested_by_id" UUID,
    "requested_by_name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "progress" JSONB NOT NULL DEFAULT '{}',
    "counts" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "erasures_tenant_id_digest_key" ON "erasures"("tenant_id", "digest");
