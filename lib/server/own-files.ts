// A guest's own files (history, keys) stand where rxpi's stand and are as private: it knocks for the place and the manners.
export { ensurePrivateFolder, readJsonFile, replacePrivateFile, rxpiPaths } from '../session/own-files.ts'
export type { Environment } from '../session/own-files.ts'
