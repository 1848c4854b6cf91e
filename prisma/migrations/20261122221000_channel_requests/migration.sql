-- CreateTable
CREATE TABLE "channel_requests" (
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "operator_id" UUID NOT NULL,
    "operator_name" TEXT NOT NULL,
    "session_id" UUID NOT NULL,
    "ip" TEXT,
    "request_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "organisation" UUID NOT NULL,
    "organisation_slug" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "taken_at" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),
    "refusal" JSONB,

    CONSTRAINT "channel_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "channel_requests_created_at_idx" ON "channel_requests"("created_at");
