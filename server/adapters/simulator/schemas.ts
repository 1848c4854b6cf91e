/** What a connection through the simulator is configured with. */
import { z } from "zod";
import { line } from "../schemas.ts";

export const simulatorCredentialsSchema = z.strictObject({
  /** Signs the callbacks that the simulator posts to this service. */
  signingKey: line(256).min(16),
});
export type SimulatorCredentials = z.infer<typeof simulatorCredentialsSchema>;

export const simulatorSettingsSchema = z.strictObject({});
export type SimulatorSettings = z.infer<typeof simulatorSettingsSchema>;
