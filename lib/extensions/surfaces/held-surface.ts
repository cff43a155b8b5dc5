// Declares an open surface as its extension registered it, and the list of a session.
import type { Observable } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import type { SurfaceComponent } from '../api/surface-component.ts'

/** An open surface, as its extension registered it. */
export interface HeldSurface {
  /** Unique in the session. */
  readonly id: string
  readonly component: SurfaceComponent
  /** Emits when it is to be rendered again. */
  readonly invalid$: Observable<unknown>
  invalidate(): void
  /** Ends it, as its extension does. */
  end(): void
}

export interface SurfaceEntry {
  /** The name of the extension. */
  readonly owner: string
  readonly value: HeldSurface
}

/** The surfaces that extensions registered, in order. */
export interface SurfaceList {
  readonly entries: readonly SurfaceEntry[]
  /** Emits after each change. */
  readonly changed$: Observable<unknown>
}

export interface HubOptions {
  readonly list: SurfaceList
  /** Counts a fault and returns it. */
  report(owner: string, where: string, thrown: unknown): Failure
  /** Emits when the session ends. */
  readonly end$: Observable<unknown>
}
