-- What became of the rows of price lists, so that a change of costs can be explained later.
CREATE TABLE "price_changes" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "unit_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "price_changes_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE INDEX "price_changes_tenant_id_connection_id_id_idx" ON "price_changes"("tenant_id", "connection_id", "id");
