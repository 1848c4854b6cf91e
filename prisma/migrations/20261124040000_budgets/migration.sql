-- Budgets of a calendar month, the thresholds that they have reached, and days that cost unusually much.
CREATE TABLE "budgets" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "application_id" UUID,
    "environment_id" UUID,
    "amount" DECIMAL(18,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "converted" BOOLEAN NOT NULL,
    "thresholds" INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("tenant_id","id"),
    CONSTRAINT "budgets_amount_check" CHECK ("amount" > 0),
    CONSTRAINT "budgets_thresholds_check" CHECK (cardinality("thresholds") BETWEEN 1 AND 5)
);

CREATE TABLE "budget_alerts" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "budget_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "percent" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "mails" INTEGER NOT NULL DEFAULT 0,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "budget_alerts_pkey" PRIMARY KEY ("tenant_id","id"),
    CONSTRAINT "budget_alerts_tenant_id_budget_id_fkey" FOREIGN KEY ("tenant_id", "budget_id") REFERENCES "budgets"("tenant_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "budget_alerts_tenant_id_budget_id_month_percent_key" ON "budget_alerts"("tenant_id", "budget_id", "month", "percent");
CREATE INDEX "budget_alerts_mailed_at_idx" ON "budget_alerts"("mailed_at");

CREATE TABLE "cost_anomalies" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "amount" DECIMAL(24,6) NOT NULL,
    "expected" DECIMAL(24,6) NOT NULL,

    CONSTRAINT "cost_anomalies_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "cost_anomalies_day_key" ON "cost_anomalies"("tenant_id", "day", "environment_id", "application_id", "unit_id", "connection_id", "channel", "country", "currency");

CREATE TABLE "cost_looks" (
    "tenant_id" UUID NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "cost_looks_pkey" PRIMARY KEY ("tenant_id")
);
