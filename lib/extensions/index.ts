// Exports the extensions for other rooms.
export { commandHooks } from './command-hooks/command-hooks.ts'
export type { CommandHookOptions } from './command-hooks/command-hooks.ts'
export { findExtensions } from './discovery/find-extensions.ts'
export type { FoundExtensions } from './discovery/find-extensions.ts'
export type { ExtensionSource } from './discovery/extension-source.ts'
export { extensionTrust } from './trust/extension-trust.ts'
export type { ExtensionTrust } from './trust/extension-trust.ts'
