// What this process's programs registered, by name; looking here costs nothing of what registering needs.
import type { RegisteredProvider } from './registered-provider.ts'

/** What `registerProvider` fills: found by every session that brings no registry of its own. */
export const registeredProviders = new Map<string, RegisteredProvider>()
