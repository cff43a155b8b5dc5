// What the door hands on to guests that keep files of their own beside those of rxpi: where, and how privately.
export { rxpiPaths } from '../../host/files/paths.ts'
export type { Environment } from '../../host/files/paths.ts'
export { ensurePrivateFolder } from '../../host/files/private-files.ts'
export { replacePrivateFile } from '../../host/files/replace-file.ts'
export { readJsonFile } from '../../store/config/read-json-file.ts'
