import { mutation, query } from "../operations/operation.ts";
import { getBranding, removeLogo, setLogo, updateBranding } from "./branding.ts";
import { setLogoSchema, updateBrandingSchema } from "./schemas.ts";

const permission = "settings:manage";

/** How the organisation looks to its people. */
export const brandingOperations = {
  get: query({ permission, run: getBranding }),
  update: mutation({ permission, input: updateBrandingSchema, run: updateBranding }),
  setLogo: mutation({ permission, input: setLogoSchema, run: setLogo }),
  removeLogo: mutation({ permission, run: removeLogo }),
};
