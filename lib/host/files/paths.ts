// Derives rxpi's folders from environment variables alone.
// Guarantees: all paths are absolute.
import { userInfo } from 'node:os'
import path from 'node:path'
import { Failure } from '../../streams/values/failure.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Absolute folders; this function creates none. */
export interface RxpiPaths {
  /** `RXPI_HOME`, else `$XDG_STATE_HOME/rxpi`, else `~/.local/state/rxpi`: everything that rxpi writes. */
  readonly home: string
  /** One folder for each working folder, one file for each session. */
  readonly sessions: string
  /** Images and long results, named by their SHA-256. */
  readonly blobs: string
  /** The full output of commands with truncated results. */
  readonly spill: string
  /** `$XDG_CONFIG_HOME/rxpi`, else `~/.config/rxpi`: `settings.json` and `models.json`. */
  readonly config: string
}

/**
 * As the XDG base directory specification says, an empty or relative variable counts as unset. A relative `RXPI_HOME`
 * is an error, as it is set for rxpi only.
 * @throws Failure `bad_config`
 */
export function rxpiPaths(env: Environment): RxpiPaths {
  const home = ownHome(env) ?? path.join(absolute(env['XDG_STATE_HOME']) ?? underHome(env, '.local/state'), 'rxpi')
  const config = path.join(absolute(env['XDG_CONFIG_HOME']) ?? underHome(env, '.config'), 'rxpi')
  const inHome = (name: string) => path.join(home, name)
  return { home, sessions: inHome('sessions'), blobs: inHome('blobs'), spill: inHome('spill'), config }
}

function ownHome(env: Environment): string | undefined {
  const value = env['RXPI_HOME']
  if (value === undefined || value === '') return undefined
  if (path.isAbsolute(value)) return path.resolve(value)
  throw new Failure('bad_config', `RXPI_HOME is "${value}", which is not an absolute path; set it to one or unset it`)
}

function absolute(value: string | undefined): string | undefined {
  return value !== undefined && path.isAbsolute(value) ? path.resolve(value) : undefined
}

/** The absolute `HOME` of a client, below which its commands find their keys. */
export function clientHome({ HOME: home }: Environment): string | undefined {
  return home !== undefined && path.isAbsolute(home) ? home : undefined
}

function underHome(env: Environment, folder: string): string {
  return path.join(absolute(env['HOME']) ?? accountHome(), folder)
}

function accountHome(): string {
  try {
    return userInfo().homedir
  } catch (cause) {
    throw new Failure('bad_config', 'HOME is not set and this user has no home folder; set HOME or RXPI_HOME', {
      cause,
    })
  }
}
