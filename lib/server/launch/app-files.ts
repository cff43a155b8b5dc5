// Exports the file helpers that the app uses for its own private files: history and key bindings.
export { ensurePrivateFolder, readJsonFile, replacePrivateFile, rxpiPaths } from '../../services/config/user-files.ts'
export type { Environment } from '../../services/config/user-files.ts'
