// A server that a client starts takes nothing from that client but where this user keeps his files (SECURITY S7).
import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

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

/** Of glibc's allocator, as bin/rxpi gives them to `rxpi serve`: arenas, bytes of a piece, bytes free at the end. */
const memory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '8388608' }

/**
 * The whole environment of a background server: a fixed PATH and LANG, the account's names, the folders, how its memory
 * is allocated, and that a client started it. Keys, proxies and all else come with each session,
 * from its client.
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
    ...memory,
    RXPI_STARTED_BY: 'client',
  }
}

function account(): Record<string, string> {
  try {
    const { username, homedir } = userInfo()
    return { HOME: homedir, USER: username, LOGNAME: username }
  } catch {
    return {} // a user without an entry in the system's table; the client's HOME must do
  }
}
