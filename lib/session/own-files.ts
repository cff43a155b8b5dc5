// What the door hands on to guests that keep files of their own beside those of rxpi: where, and how privately.
export { rxpiPaths } from '../host/paths.ts'
export type { Environment } from '../host/paths.ts'
export { ensurePrivateFolder } from '../host/private-files.ts'
export { replacePrivateFile } from '../host/replace-private-file.ts'
export { readJsonFile } from '../store/read-json-file.ts'
