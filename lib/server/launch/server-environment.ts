// A server that a client starts takes nothing from that client but where this user keeps his files (docs/design/security.md#S7).
import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { memorySettings } from './memory-settings.ts'

/** Taken over where they hold an absolute path: what says where things are, not what is in them. */
const places = [
  'HOME',
  'RXPI_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
] as const

/**
 * Returns the whole environment of a background server: a fixed PATH and LANG, the account's names, the folders, the allocator's
 * settings, and that a client started it. Keys, proxies and all else come with each session from its client.
 */
export function serverEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = places.flatMap((name) => {
    const value = env[name]
    return value !== undefined && isAbsolute(value) ? [[name, value] as const] : []
  })
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    LANG: 'C.UTF-8',
    ...account(),
    ...Object.fromEntries(kept),
    ...Object.fromEntries(memorySettings('malloc', env).map(({ key, value }) => [key, value])),
    ...withoutSettings(env),
    RXPI_STARTED_BY: 'client',
  }
}

/** Names of settings that the server leaves out as well; no other text of the client passes. */
function withoutSettings({ RXPI_WITHOUT: names = '' }: Readonly<Record<string, string | undefined>>): object {
  return /^[a-z][a-z,-]*$/.test(names) ? { RXPI_WITHOUT: names } : {}
}

function account(): Record<string, string> {
  try {
    const { username, homedir } = userInfo()
    return { HOME: homedir, USER: username, LOGNAME: username }
  } catch {
    return {} // a user without an entry in the system's table; the client's HOME must do
  }
}
