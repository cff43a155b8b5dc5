// The Locks port: calls that change the same thing take turns, across the sessions of one server.
import type { Observable } from 'rxjs'

/** Lock names: a writer excludes all other holders of a name, a reader only writers (docs/loop.md#6). */
export interface ToolLocks {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
}

export interface Locks {
  /**
   * Emits once when every name is held, and holds them until it is unsubscribed; never completes. A name that is
   * written excludes all other holders, a name that is read only writers. Requests that clash are served in the order
   * of their subscriptions. Unsubscribing while it waits leaves no trace.
   */
  hold(names: ToolLocks): Observable<void>
}
