// Parts of a session whose work takes random times: snapshots, commands with a slash, a hook.
import { delay, of } from 'rxjs'
import type { SessionOptions } from '../../lib/session/contract/session-parts.ts'
import type { Random } from './random-of.ts'

/** `/late TEXT` expands to TEXT. */
export function slowParts(random: Random): Pick<SessionOptions, 'snapshots' | 'commands' | 'hooks'> {
  const slowly$ = <Value>(value: Value) => of(value).pipe(delay(Math.floor(random() * 30)))
  let snapshots = 0
  return {
    snapshots: {
      take: () => slowly$({ type: 'taken', snapshot: `s${++snapshots}`, files: 1, notKept: 0, pruned: 0 } as const),
      changes: () =>
        slowly$({
          snapshotBefore: `s${++snapshots}`,
          changes: random() < 0.5 ? [] : [{ path: 'a', change: 'replace' } as const],
          conflicts: [],
          kept: [],
        }),
      restore: () => slowly$({ paths: ['a'], snapshotAfter: `s${++snapshots}` }),
    },
    commands: {
      list: () => of({ commands: [], problems: [] }),
      expand: (text) => {
        const args = text.replace('/late ', '')
        return slowly$({ text: args, invocation: { kind: 'template', name: 'late', args } })
      },
    },
    hooks: { userCommand: () => slowly$(undefined) },
  }
}
