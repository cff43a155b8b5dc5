// A guest's own files (history, keys) stand where rxpi's stand and are as private: it knocks for the place and the manners.
export { ensurePrivateFolder, readJsonFile, replacePrivateFile, rxpiPaths } from '../../services/config/user-files.ts'
export type { Environment } from '../../services/config/user-files.ts'
