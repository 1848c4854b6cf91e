-- As which WhatsApp category a message counts in its month, so that a receipt that says another moves it. Null: not, or as none.
ALTER TABLE "cost_entries" ADD COLUMN "counted_as" TEXT;
