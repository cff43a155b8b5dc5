// What is known of endpoints by name is data: where they answer, which variable holds the key, how they differ.
import type { Preset } from './preset.ts'
import { gatewayPresets } from './presets-gateways.ts'
import { hostPresets } from './presets-hosts.ts'
import { localPresets } from './presets-local.ts'
import { vendorPresets } from './presets-vendors.ts'

/** In the order in which a key decides where no model is named: vendors, hosts of open models, gateways; then what runs on this machine. */
export const presets: Readonly<Record<string, Preset>> = {
  ...vendorPresets,
  ...hostPresets,
  ...gatewayPresets,
  ...localPresets,
}
