// The object `tui` that components of pi receive: it draws again, and shows overlays as surfaces.
import type { PiSurfaceComponent } from '../contract/pi-registrations.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import type { ScreenSize } from '../../../streams/surfaces/surfaces.ts'
import { overlayLines } from './overlay-layout.ts'
import type { OverlayOptions } from './overlay-layout.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { OpenSurface, SurfaceComponent } from '../../api/surface-component.ts'

/** Over which size a component may ask before a screen is there. */
const usualScreen = { columns: 80, rows: 24 }

export interface SurfaceTui {
  /** The module's argument. */
  readonly tui: PiRecord
  /** The surface that `requestRender` draws again. */
  attach(surface: OpenSurface): void
  /** Closes the overlays that the component has opened. */
  close(): void
}

export function surfaceTui(runtime: PiRuntime): SurfaceTui {
  const { api, limits } = runtime
  const surfaces = new Set<OpenSurface>()
  const overlays: OverlayHandle[] = []
  const screen = () => api.ui.screen() ?? usualScreen
  const absent = (name: string) => () => {
    limits.report(`tui.${name}`, 'the terminal belongs to a client')
  }
  const terminal = {
    get columns() {
      return screen().columns
    },
    get rows() {
      return screen().rows
    },
    kittyProtocolActive: false,
    write: absent('terminal.write'),
    setTitle: (title: string) => {
      api.ui.status(title, 'title')
    },
  }
  const requestRender = (): void => {
    for (const surface of surfaces) surface.invalidate()
  }
  const tui = {
    terminal,
    requestRender,
    invalidate: requestRender,
    showOverlay: (component: PiSurfaceComponent, options: OverlayOptions = {}) => {
      const handle = overlayHandle(() => showOverlay(runtime, component, options, surfaces))
      overlays.push(handle)
      return handle
    },
    hideOverlay: () => overlays.pop()?.hide(),
    hasOverlay: () => overlays.some(({ isHidden }) => !isHidden()),
    setFocus: (component: PiSurfaceComponent | null) => {
      if (component !== null) component.focused = true
    },
    ...{ start: absent('start'), stop: absent('stop') },
  }
  return {
    tui,
    attach: (surface) => surfaces.add(surface),
    close: () => {
      for (const { hide } of overlays.splice(0)) hide()
    },
  }
}

let overlayNumber = 0

/** Shows a component as a dialog. */
export function showComponent(
  { api }: Pick<PiRuntime, 'api'>,
  component: PiSurfaceComponent,
  surfaces: Set<OpenSurface>,
  onClose: () => void = () => undefined,
): OpenSurface {
  component.focused = true
  const surface = api.ui.surface({
    ...componentPart(component),
    placement: 'dialog',
    id: `dialog ${++overlayNumber}`,
    onClose,
  })
  surfaces.add(surface)
  return surface
}

/** Shows a component as a dialog with the width, height and side of an overlay. It gets the keys, as every dialog does. */
export function showOverlay(
  runtime: PiRuntime,
  component: PiSurfaceComponent,
  options: OverlayOptions,
  surfaces: Set<OpenSurface>,
  onClose?: () => void,
): OpenSurface {
  if (options.nonCapturing === true) runtime.limits.report('nonCapturing of an overlay', 'a dialog gets the keys')
  component.focused = true
  const render = (screen: ScreenSize): string[] => overlayLines(component, options, screen)
  const part = { ...componentPart(component), render }
  const surface = runtime.api.ui.surface({
    ...part,
    placement: 'dialog',
    id: `overlay ${++overlayNumber}`,
    ...(onClose && { onClose }),
  })
  surfaces.add(surface)
  return surface
}

export function componentPart(component: PiSurfaceComponent): Pick<SurfaceComponent, 'render' | 'key'> {
  return {
    render: ({ columns }) => component.render(columns),
    key: ({ data }) => {
      component.handleInput?.(data)
      return undefined
    },
  }
}

export interface OverlayHandle {
  hide(): void
  setHidden(hidden: boolean): void
  isHidden(): boolean
  focus(): void
  unfocus(): void
  isFocused(): boolean
}

/** Hidden means closed: it is shown anew. The newest dialog has the focus. */
export function overlayHandle(show: () => OpenSurface): OverlayHandle {
  let surface: OpenSurface | undefined = show()
  let isOver = false
  const close = (): void => {
    surface?.unregister()
    surface = undefined
  }
  const reopen = (): void => {
    if (!isOver && surface?.isOpen !== true) surface = show()
  }
  return {
    hide: () => {
      isOver = true
      close()
    },
    setHidden: (hidden) => {
      if (hidden) close()
      else reopen()
    },
    isHidden: () => surface?.isOpen !== true,
    focus: () => {
      if (surface === undefined) return
      close()
      reopen()
    },
    unfocus: () => undefined, // a client gives the focus to the newest dialog
    isFocused: () => surface?.isOpen === true,
  }
}
