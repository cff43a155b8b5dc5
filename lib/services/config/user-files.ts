// Exports paths, private-file helpers and the branch reader for the command line and the UI.
export { gitBranch } from '../../host/files/git-branch.ts'
export { rxpiPaths } from '../../host/files/paths.ts'
export type { Environment } from '../../host/files/paths.ts'
export { ensurePrivateFolder } from '../../host/files/private-files.ts'
export { replacePrivateFile } from '../../host/files/replace-file.ts'
export { readJsonFile } from '../../store/config/read-json-file.ts'
