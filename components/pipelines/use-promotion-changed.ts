"use client";

import { useRefresh } from "../trpc/use-refresh.ts";

/** Call it when a promotion changed, or turned out to have: everything that shows stages looks again. */
export const usePromotionChanged = () => useRefresh("promotions", "pipelines", "templates", "notices");
