// Builds the environment of a background server (docs/design/security.md#S7).
import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { memorySettings } from './memory-settings.ts'

/** Variables that name folders; the server gets those that hold an absolute path. */
const folderVariables = [
  'HOME',
  'RXPI_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
] as const

/**
 * Returns the whole environment of a background server: a fixed PATH and LANG, the account's names, the folders, the
 * allocator's settings, and that a client started it. Keys, proxies and all else come with each session from its
 * client.
 */
export function serverEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const folders = folderVariables.flatMap((name) => {
    const value = env[name]
    return value !== undefined && isAbsolute(value) ? [[name, value] as const] : []
  })
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    LANG: 'C.UTF-8',
    ...readAccount(),
    ...Object.fromEntries(folders),
    ...Object.fromEntries(memorySettings('malloc', env).map(({ key, value }) => [key, value])),
    ...passSwitchedOff(env),
    RXPI_STARTED_BY: 'client',
  }
}

/** Passes the names of settings that the server switches off as well; no other text of the client passes. */
function passSwitchedOff({ RXPI_WITHOUT: names = '' }: Readonly<Record<string, string | undefined>>): object {
  return /^[a-z][a-z,-]*$/.test(names) ? { RXPI_WITHOUT: names } : {}
}

function readAccount(): Record<string, string> {
  try {
    const { username, homedir } = userInfo()
    return { HOME: homedir, USER: username, LOGNAME: username }
  } catch {
    return {} // a user without an entry in the system's table; the client's HOME is used
  }
}
