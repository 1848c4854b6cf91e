-- In which currency an organisation reads its costs, and what others are worth in it.
CREATE TABLE "cost_currencies" (
    "tenant_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,

    CONSTRAINT "cost_currencies_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "exchange_rates" (
    "tenant_id" UUID NOT NULL,
    "own_currency" CHAR(3) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "valid_from" DATE NOT NULL,
    "rate" DECIMAL(18,9) NOT NULL,

    CONSTRAINT "exchange_rates_pkey" PRIMARY KEY ("tenant_id","own_currency","currency","valid_from")
);
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_rate_check" CHECK (rate > 0);
