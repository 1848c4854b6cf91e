-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "archived_at" TIMESTAMPTZ(3);
