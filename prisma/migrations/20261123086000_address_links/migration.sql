-- Addresses that a provider says are one person's: a number on WhatsApp and the user ids that stand for it. A link has two rows,
-- one from each end.
CREATE TABLE "address_links" (
    "tenant_id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "linked_address" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "address_links_pkey" PRIMARY KEY ("tenant_id","sandbox","channel","address","linked_address")
);
