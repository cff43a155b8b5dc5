// Exports the paths and private-file helpers that the command line and the terminal UI use.
export { rxpiPaths } from '../../host/files/paths.ts'
export type { Environment } from '../../host/files/paths.ts'
export { ensurePrivateFolder } from '../../host/files/private-files.ts'
export { replacePrivateFile } from '../../host/files/replace-file.ts'
export { readJsonFile } from '../../store/config/read-json-file.ts'
