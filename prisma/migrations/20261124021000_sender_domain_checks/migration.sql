CREATE TABLE "sender_domain_checks" (
    "tenant_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "spf" JSONB,
    "dkim" JSONB,
    "dmarc" JSONB,
    "tried_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT,

    CONSTRAINT "sender_domain_checks_pkey" PRIMARY KEY ("tenant_id","connection_id","domain")
);
CREATE INDEX "sender_domain_checks_tried_at_idx" ON "sender_domain_checks"("tried_at");
