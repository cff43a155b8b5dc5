// Exports the extensions for other rooms.
export { commandHooks } from './command-hooks/command-hooks.ts'
export type { CommandHookOptions } from './command-hooks/command-hooks.ts'
