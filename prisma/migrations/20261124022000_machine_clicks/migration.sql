ALTER TABLE "short_links" ADD COLUMN "machine_clicks" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "machine_reason" TEXT,
  ADD COLUMN "last_machine_at" TIMESTAMPTZ(3);

CREATE TABLE "link_clicks" (
    "tenant_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "request_id" UUID NOT NULL,
    "shard" SMALLINT NOT NULL,
    "people" INTEGER NOT NULL,
    "machines" INTEGER NOT NULL,

    CONSTRAINT "link_clicks_pkey" PRIMARY KEY ("tenant_id","day","request_id","shard")
);
CREATE INDEX "link_clicks_tenant_id_request_id_idx" ON "link_clicks"("tenant_id", "request_id");
