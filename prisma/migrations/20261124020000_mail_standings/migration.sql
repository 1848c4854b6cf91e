CREATE TABLE "mail_standings" (
    "tenant_id" UUID NOT NULL,
    "domain_group" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "level" TEXT NOT NULL,
    "cause" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "warned_at" TIMESTAMPTZ(3),
    "accepted_until" TIMESTAMPTZ(3),
    "released_at" TIMESTAMPTZ(3),
    "released_by_name" TEXT,
    "release_note" TEXT,
    "resumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_standings_pkey" PRIMARY KEY ("tenant_id","domain_group")
);
CREATE INDEX mail_standings_resumed_idx ON mail_standings (resumed_at) WHERE resumed_at IS NOT NULL;
