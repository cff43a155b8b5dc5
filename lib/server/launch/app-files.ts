// Exports file helpers for the app: private files (history, key bindings), the branch of a folder.
export {
  ensurePrivateFolder,
  gitBranch,
  readJsonFile,
  replacePrivateFile,
  rxpiPaths,
} from '../../services/config/user-files.ts'
export type { Environment } from '../../services/config/user-files.ts'
