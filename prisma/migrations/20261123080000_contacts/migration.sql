-- Who an organisation writes to, and groups of them.
CREATE TABLE "contacts" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "external_id" TEXT,
    "name" TEXT,
    -- Searched by what it begins with: compared byte by byte, so that an index serves it under row-level security.
    "name_key" TEXT COLLATE "C" GENERATED ALWAYS AS (lower("name")) STORED,
    "region" TEXT,
    "language" TEXT,
    "time_zone" TEXT,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "contacts_tenant_id_external_id_key" ON "contacts"("tenant_id", "external_id");
CREATE INDEX "contacts_tenant_id_name_key_id_idx" ON "contacts"("tenant_id", "name_key", "id");

CREATE TABLE "contact_addresses" (
    "tenant_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT COLLATE "C" NOT NULL,
    "contact_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_addresses_pkey" PRIMARY KEY ("tenant_id","channel","address"),
    CONSTRAINT "contact_addresses_tenant_id_contact_id_fkey" FOREIGN KEY ("tenant_id", "contact_id")
        REFERENCES "contacts"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "contact_addresses_tenant_id_contact_id_channel_position_key" ON "contact_addresses"("tenant_id", "contact_id", "channel", "position");
CREATE INDEX "contact_addresses_tenant_id_address_idx" ON "contact_addresses"("tenant_id", "address");

CREATE TABLE "contact_groups" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "filter" JSONB,
    "size" INTEGER,
    "counted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_groups_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "contact_groups_tenant_id_name_key" ON "contact_groups"("tenant_id", "name");

CREATE TABLE "contact_group_members" (
    "tenant_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_group_members_pkey" PRIMARY KEY ("tenant_id","group_id","contact_id"),
    CONSTRAINT "contact_group_members_tenant_id_group_id_fkey" FOREIGN KEY ("tenant_id", "group_id")
        REFERENCES "contact_groups"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "contact_group_members_tenant_id_contact_id_fkey" FOREIGN KEY ("tenant_id", "contact_id")
        REFERENCES "contacts"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "contact_group_members_tenant_id_contact_id_idx" ON "contact_group_members"("tenant_id", "contact_id");
