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
  createOrganisationSchema,
  deleteOrganisationSchema,
  listOperatorEventsSchema,
  listOrganisationsSchema,
  organisationRefSchema,
  setFeesSchema,
  setQuotaSchema,
  suspendOrganisationSchema,
} from "./schemas.ts";

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
  installation: {
    get: look({ action: "installation.viewed", polled: true, run: getInstallation }),
  },
  log: {
    list: look({ action: "log.viewed", input: listOperatorEventsSchema, run: listOperatorEvents }),
  },
};
