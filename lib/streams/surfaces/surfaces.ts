// Declares surfaces: lines that extensions draw for screens of clients, and keys that come back.
import type { Observable } from 'rxjs'
import type { EventNamed } from '../events/event.ts'

/** Where a client draws a surface. */
export const surfacePlacements = ['dialog', 'widget', 'footer', 'header', 'editor'] as const
export type SurfacePlacement = (typeof surfacePlacements)[number]

/** A client's space for a surface, in terminal cells. */
export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** One key press, some typed characters, or a paste. */
export interface SurfaceKey {
  /** As a terminal sends it: `a`, `\r`, `\x1b[A`; a paste stands between `\x1b[200~` and `\x1b[201~`. */
  readonly data: string
  /** The client's name of a key, such as `ctrl+g` or `up`; absent for text and pastes. */
  readonly name?: string | undefined
}

/** A surface's answer to a key. */
export interface SurfaceKeyAnswer {
  /** False: the client does with the key what it does without the surface. Default: true. */
  readonly taken?: boolean | undefined
  /** Of an editor: its whole text after the key. */
  readonly text?: string | undefined
  /** Of an editor: a text that the person sends. */
  readonly submit?: string | undefined
}

/** The same, as a client receives it. */
export interface PressedKey {
  readonly taken: boolean
  readonly text?: string
  readonly submit?: string
}

export interface DrawOptions {
  /** The size of the screen, now and after each change. Nothing is drawn before the first one. */
  readonly size$: Observable<ScreenSize>
  /** False while the screen takes nothing more: lines are left out until `ready$` emits. Default: always true. */
  readonly isReady?: () => boolean
  readonly ready$?: Observable<unknown>
}

/** The surfaces of one session. */
export interface Surfaces {
  /**
   * A subscription is a screen. Emits the lines of each open surface for its size, then those that changed: at most 30 times a second
   * for each surface, the latest lines win. A surface that ends emits `closed`. Completes when the session is closed; never fails.
   */
  draw(options: DrawOptions): Observable<EventNamed<'surface'>>
  /**
   * Hands a key to the surface.
   * @throws Failure `unknown_surface` if it is not open, `bad_request` if it takes no keys, or the fault of the extension
   */
  press(surface: string, key: SurfaceKey): PressedKey
  /** A person closes it. @throws Failure `unknown_surface` if it is not open */
  close(surface: string): void
}
