import { bothFactorsSchema, confirmSecondFactorSchema, ownPasswordSchema } from "../access/schemas.ts";
import {
  assignFromConsole,
  getOwnChannel,
  lendFromConsole,
  listOwnChannels,
  takeFromConsole,
} from "./channels.ts";
import { getHold, releaseFromConsole } from "./hold.ts";
import { getInstallation } from "./installation.ts";
import { listOperatorEvents } from "./list-operator-events.ts";
import { change, look } from "./operation.ts";
import {
  createForOperator,
  deleteOrganisation,
  getOrganisation,
  keepOrganisation,
  listOrganisations,
  resumeOrganisation,
  setFees,
  setOrganisationQuota,
  suspendOrganisation,
} from "./organisations.ts";
import {
  assignConsoleChannelSchema,
  createOrganisationSchema,
  deleteOrganisationSchema,
  lendConsoleChannelSchema,
  listAssignmentsSchema,
  listOperatorEventsSchema,
  listOrganisationsSchema,
  organisationRefSchema,
  setFeesSchema,
  setQuotaSchema,
  suspendOrganisationSchema,
  takeConsoleChannelSchema,
} from "./schemas.ts";
import {
  confirmOwnFactor,
  getOwnFactor,
  removeOwnFactor,
  renewOwnCodes,
  startOwnFactor,
} from "./second-factor.ts";

/** Everything that operators can do in the console. What they look at ends in `.viewed`. */
export const consoleOperations = {
  organisations: {
    list: look({ action: "organisations.viewed", input: listOrganisationsSchema, run: listOrganisations }),
    get: look({ action: "organisation.viewed", input: organisationRefSchema, run: getOrganisation }),
    create: change({
      action: "organisation.created",
      input: createOrganisationSchema,
      run: createForOperator,
    }),
    suspend: change({
      action: "organisation.suspended",
      input: suspendOrganisationSchema,
      run: suspendOrganisation,
    }),
    resume: change({ action: "organisation.resumed", input: organisationRefSchema, run: resumeOrganisation }),
    delete: change({
      action: "organisation.deletion_requested",
      input: deleteOrganisationSchema,
      run: deleteOrganisation,
    }),
    keep: change({
      action: "organisation.deletion_taken_back",
      input: organisationRefSchema,
      run: keepOrganisation,
    }),
    setFees: change({ action: "organisation.fees_changed", input: setFeesSchema, run: setFees }),
    setQuota: change({
      action: "organisation.quota_changed",
      input: setQuotaSchema,
      run: setOrganisationQuota,
    }),
  },
  channels: {
    list: look({ action: "channels.viewed", run: listOwnChannels }),
    get: look({ action: "channel.viewed", input: listAssignmentsSchema, run: getOwnChannel }),
    assign: change({
      action: "channel.assigned",
      input: assignConsoleChannelSchema,
      run: assignFromConsole,
    }),
    lend: change({
      action: "channel.senders_changed",
      input: lendConsoleChannelSchema,
      run: lendFromConsole,
    }),
    take: change({ action: "channel.taken_back", input: takeConsoleChannelSchema, run: takeFromConsole }),
  },
  installation: {
    get: look({ action: "installation.viewed", polled: true, run: getInstallation }),
    hold: look({ action: "sending_hold.viewed", polled: true, run: getHold }),
    release: change({ action: "sending.released", run: releaseFromConsole }),
  },
  secondFactor: {
    get: look({ action: "second_factor.viewed", withoutFactor: true, run: getOwnFactor }),
    start: change({
      action: "second_factor.started",
      input: ownPasswordSchema,
      withoutFactor: true,
      run: startOwnFactor,
    }),
    confirm: change({
      action: "second_factor.enabled",
      input: confirmSecondFactorSchema,
      withoutFactor: true,
      run: confirmOwnFactor,
    }),
    renewRecoveryCodes: change({
      action: "second_factor.recovery_codes_renewed",
      input: bothFactorsSchema,
      run: renewOwnCodes,
    }),
    remove: change({
      action: "second_factor.removed",
      input: bothFactorsSchema,
      run: removeOwnFactor,
    }),
  },
  log: {
    list: look({ action: "log.viewed", input: listOperatorEventsSchema, run: listOperatorEvents }),
  },
};
