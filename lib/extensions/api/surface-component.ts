// Declares a surface of an extension: a component that renders lines for a screen and takes keys.
import type { ScreenSize, SurfaceKey, SurfaceKeyAnswer, SurfacePlacement } from '../../streams/surfaces/surfaces.ts'

export interface SurfaceComponent {
  /**
   * `dialog`: over the input, with all keys. `editor`: in place of the input. `header` and `footer`: above and below everything. `widget`:
   * beside the input. Of several footers, headers or editors a client draws the newest, of dialogs the newest first.
   */
  readonly placement: SurfacePlacement
  /** Unique within the extension: another surface of this id takes its place. At most 100 characters. Default: a number. */
  readonly id?: string
  /** Of a widget. Default: `above` the input. */
  readonly position?: 'above' | 'below'
  /**
   * Returns the lines for one screen; it must not wait. A client keeps text, colours (`CSI … m`) and the `cursorMarker`, and
   * cuts lines that are too wide. 64 KiB in all at most. A throw is a fault: the lines stay as they were.
   */
  render(screen: ScreenSize): readonly string[]
  /** Takes a key; undefined means that it is taken. A throw is a fault. Default: the surface takes no keys. */
  key?(key: SurfaceKey): SurfaceKeyAnswer | undefined
  /** A person closed it; it is not shown any more. Default: nothing. */
  onClose?(): void
}

/** A surface that is shown to every screen until it is unregistered, or a person closes it. */
export interface OpenSurface {
  readonly id: string
  /** False once it is closed. */
  readonly isOpen: boolean
  /** Renders again soon: 30 times a second at most. A key does so by itself. */
  invalidate(): void
  /** Closes it; a second call does nothing. The end of the extension's scope does the same. */
  unregister(): void
}
