// The entries of a session that was opened at its end: the context's are read in one go, the others stay in the log until somebody asks.
import type { Entry, SessionState } from '../../streams/state/fold-session.ts'
import type { EarlierEntries } from './earlier-entries.ts'
import { LayeredMap } from './layered-map.ts'
import type { LayerNames } from './layered-map.ts'

export interface KeptEntriesOptions {
  /** Of the entries of all lines up to `keptSeq`. */
  readonly names: LayerNames
  /** The entries that the model is told of, with their messages; read when one of them is asked for. */
  context(): ReadonlyMap<string, Entry>
  /** All entries of those lines. */
  readonly earlier: EarlierEntries
  /** The last line that was not folded whole; no run was on behind it. */
  readonly keptSeq: number
}

/** Those behind the line `keptSeq` are set, as in every state. */
export class KeptEntries extends LayeredMap<Entry> {
  readonly earlier: EarlierEntries
  readonly keptSeq: number

  constructor({ names, context, earlier, keptSeq }: KeptEntriesOptions) {
    let read: ReadonlyMap<string, Entry> | undefined
    super({ names, layers: [() => (read ??= context()), () => earlier.all()] })
    this.earlier = earlier
    this.keptSeq = keptSeq
  }

  /** The entries as nodes of a tree, of which the messages are not looked at: without reading the context for it, where that can be. */
  get nodes(): Pick<SessionState['entries'], 'get'> {
    if (!this.earlier.isComplete) return this
    const earlier = this.earlier.all()
    return { get: (entryId) => this.own(entryId) ?? earlier.get(entryId) }
  }
}
