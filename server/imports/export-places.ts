import { ExportPlaces } from "../kernel/export-places.ts";

/** Exports of rows that are under way. */
export const exportPlaces = new ExportPlaces({ organisation: 2, process: 6 });
