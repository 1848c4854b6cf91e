-- Parts of messages from recipients, until all of a message have come.
CREATE TABLE "inbound_parts" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "own_address" TEXT NOT NULL,
    "reference" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "parts" JSONB NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "joined_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbound_parts_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "inbound_parts_first_at_idx" ON "inbound_parts"("first_at");

-- CreateIndex
CREATE INDEX "inbound_parts_of_message" ON "inbound_parts"("tenant_id", "connection_id", "address", "own_address", "reference", "total");
