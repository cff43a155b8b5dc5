// A sandbox without an operating system: tests choose when it is ready and what it confines.
import { EMPTY, NEVER, of, throwError } from 'rxjs'
import type { PathFence, SessionSandbox } from '../../lib/streams/ports/sandbox.ts'
import { Failure } from '../../lib/streams/values/failure.ts'

/** Confines every call without `escalate`; its file fence lets everything through. */
export function fakeSandbox(parts: Partial<SessionSandbox> = {}): SessionSandbox {
  const allowed = (path: string) => ({ allowed: true, path, zone: 'workspace', asks: false }) as const
  const fence: PathFence = { check: allowed, checkReal: allowed }
  return {
    profile: 'workspace',
    problem: undefined,
    ready$: of(undefined),
    confines: (_, args) => args['escalate'] === undefined,
    insideFolders: [],
    fence,
    fenceOf: () => fence,
    outsideTarget: () => undefined,
    permit: () => undefined,
    forbid: () => undefined,
    spawn: () => throwError(() => new Failure('internal', 'The fake sandbox runs nothing')),
    refusedConnections$: NEVER,
    explain: () => EMPTY,
    ...parts,
  }
}
