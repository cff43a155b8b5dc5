// The registry of this process.
import { providerRegistry } from './provider-registry.ts'
import type { RegisterProvider } from './provider-registry.ts'
import { registeredProviders } from './registered-providers.ts'

/** For all sessions of this process; see `RegisterProvider`. */
export const registerProvider: RegisterProvider = providerRegistry({ providers: registeredProviders }).register
