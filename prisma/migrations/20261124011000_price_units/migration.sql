-- How many units of the month the rows with tiers or free units have priced.
CREATE TABLE "price_units" (
    "tenant_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "units" BIGINT NOT NULL,

    CONSTRAINT "price_units_pkey" PRIMARY KEY ("tenant_id","connection_id","channel","category","country")
);
