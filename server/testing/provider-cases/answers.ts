import type { ProviderAnswer } from "../fake-provider.ts";
import type { FaultyAnswer } from "../faulty-server.ts";
import { json } from "../http-providers.ts";

/** The time at which every message of the table is sent. */
export const NOW = new Date("2026-11-22T12:00:00.000Z");

export const answerOf = ({ status, headers, body }: ProviderAnswer): FaultyAnswer =>
  json(status, body, headers);

/** Where the provider of the table calls back. */
export const PROVIDER_ADDRESS = "https://tidings.example/api/callbacks/c1";
export const NOTIFICATION_ID = "0198c7a0-0000-7000-8000-000000000001";
