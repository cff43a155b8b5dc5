// Composes the sandbox of a session from the client's command, the user's settings and the machine.
import { homedir } from 'node:os'
import path from 'node:path'
import { concatMap, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { lazyProbe$ } from '../../host/sandbox/lazy-probe.ts'
import { credentialPaths, ownFolders } from '../../host/sandbox/protected-paths.ts'
import { missingSandbox } from '../../host/sandbox/session/missing-sandbox.ts'
import { clientHome } from '../../host/files/paths.ts'
import { createSessionSandbox } from '../../host/sandbox/session/session-sandbox.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { SandboxMode, SessionSandbox } from '../../streams/ports/sandbox.ts'

/** Used if neither the command nor the settings name a mode. */
export const defaultSandboxMode: SandboxMode = 'auto'

export interface SandboxSetup {
  /** The session's folder, absolute. */
  readonly cwd: string
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  /** The mode of the command; it precedes the settings. */
  readonly sandbox?: SandboxMode | undefined
  readonly settings: Pick<Settings, 'sandbox'>
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of the user's settings. */
  readonly config: string
  readonly sessionId: string
  /** Absolute folders of skills: readable, also below hidden ones. */
  readonly skills: readonly string[]
  /** Closes it. */
  readonly end$: Observable<unknown>
}

/** Starts no process: the first tool call prepares it. */
export function openSandbox(setup: SandboxSetup): SessionSandbox {
  const { cwd, env, sandbox, settings, home, config, sessionId, skills, end$ } = setup
  const { mode, network, writable, processes, fileBytes } = settings.sandbox ?? {}
  const own = homedir()
  const homeFolder = clientHome(env) ?? own
  return createSessionSandbox({
    settings: {
      mode: sandbox ?? mode ?? defaultSandboxMode,
      ...(network?.allow === undefined ? {} : { network: { allow: network.allow } }),
      ...(writable === undefined ? {} : { writable }),
      limits: {
        ...(processes === undefined ? {} : { processes }),
        ...(fileBytes === undefined ? {} : { fileBytes }),
      },
    },
    surroundings: {
      workspace: cwd,
      homeFolder,
      rxpiFolders: ownFolders({ home, config }),
      env,
      readable: [path.join(home, 'spill', sessionId), ...skills],
      hidden: homeFolder === own ? [] : credentialPaths(own),
    },
    end$,
  })
}

/** Emits once whether sessions with these settings run commands in a sandbox. */
export function hasSandbox({ settings: { sandbox } }: Pick<SandboxSetup, 'settings'>): Observable<boolean> {
  return (sandbox?.mode ?? defaultSandboxMode) === 'off' ? of(false) : lazyProbe$.pipe(map(({ works }) => works))
}

/**
 * Folders beside the workspace that calls in such a sandbox may write; a session has its temporary folder in it too.
 */
export function insideFolders({ settings: { sandbox = {} } }: Pick<SandboxSetup, 'settings'>): readonly string[] {
  const temp = process.platform === 'linux' ? ['/tmp'] : []
  return sandbox.mode === 'read-only' ? temp : [...temp, ...(sandbox.writable ?? [])]
}

/**
 * Emits once, synchronously unless a sandbox is demanded by name: then the machine is probed. Fails with `bad_config`
 * that says how to get one.
 */
export function requireSandbox({
  sandbox,
  settings,
}: Pick<SandboxSetup, 'sandbox' | 'settings'>): Observable<undefined> {
  const mode = sandbox ?? settings.sandbox?.mode ?? defaultSandboxMode
  if (mode === 'auto' || mode === 'off') return of(undefined)
  return lazyProbe$.pipe(
    concatMap((probe) => (probe.works ? of(undefined) : throwError(() => missingSandbox(mode, probe)))),
  )
}
