// Between two snapshots of the agent's doing the change is the agent's; between one such pair and the next it is somebody else's.
import type { SnapshotPair } from '../../streams/ports/snapshots.ts'
import type { ByteName } from './byte-name.ts'

export interface Changers {
  /** What the agent has changed: nothing else is put back. */
  readonly touched: ReadonlySet<ByteName>
  /** What others have changed, and why that is thought. */
  readonly edited: ReadonlyMap<ByteName, string>
}

export interface ChangersOptions {
  readonly to: string
  readonly since: readonly SnapshotPair[]
  readonly now: string
  /** The names in which two snapshots differ. */
  between(from: string, to: string): Promise<readonly ByteName[]>
}

const ownEdit = 'it was changed by somebody else than the agent'
const unknownEnd = 'it is not known whether the agent or somebody else has changed it: how the run left it was not kept'

/** Of everything that has changed from `to` until now. */
export async function whoChanged({ to, since, now, between }: ChangersOptions): Promise<Changers> {
  const touched = new Set<ByteName>()
  const edited = new Map<ByteName, string>()
  let left = to
  for (const [position, { before, after }] of since.entries()) {
    for (const name of await between(left, before)) edited.set(name, ownEdit)
    const end = after ?? since[position + 1]?.before ?? now
    for (const name of await between(before, end)) {
      touched.add(name)
      if (after === undefined) edited.set(name, unknownEnd)
    }
    left = end
  }
  for (const name of await between(left, now)) edited.set(name, ownEdit)
  return { touched, edited }
}
