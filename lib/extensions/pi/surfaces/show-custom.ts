// Shows a component of a module of pi as a dialog until it is done, or a person closes it.
import type { OpenSurface } from '../../api/surface-component.ts'
import type { PiComponentFactory, PiSurfaceComponent } from '../contract/pi-registrations.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { ansiTheme } from '../modules/ansi-theme.ts'
import { piKeybindings } from '../modules/pi-tui.ts'
import type { OverlayOptions } from './overlay-layout.ts'
import { overlayHandle, showComponent, showOverlay, surfaceTui } from './surface-tui.ts'
import type { OverlayHandle } from './surface-tui.ts'

export interface CustomOptions {
  readonly overlay?: boolean
  readonly overlayOptions?: OverlayOptions | (() => OverlayOptions)
  onHandle?(handle: OverlayHandle): void
}

/** Undefined if it is no overlay. */
function overlayLayout({ overlay, overlayOptions = {} }: CustomOptions): (() => OverlayOptions) | undefined {
  if (overlay !== true) return undefined
  return typeof overlayOptions === 'function' ? overlayOptions : () => overlayOptions
}

/** Resolves with what the component hands to `done`; with undefined if a person closes it, or no client could show it. */
export function showCustom(runtime: PiRuntime, factory: PiComponentFactory, options: CustomOptions): Promise<unknown> {
  const { api, limits } = runtime
  const layout = overlayLayout(options)
  if (api.ui.screen() === undefined) {
    limits.report('ctx.ui.custom', 'no client that draws is attached, so no person could answer')
    return Promise.resolve(undefined)
  }
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const { tui, attach, close } = surfaceTui(runtime)
  const surfaces = new Set<OpenSurface>()
  let component: PiSurfaceComponent | undefined
  let isDone = false
  const done = (value?: unknown): void => {
    if (isDone) return
    isDone = true
    ending.unsubscribe()
    for (const surface of surfaces) surface.unregister()
    close()
    component?.dispose?.()
    resolve(value)
  }
  const ending = api.scope.end$.subscribe(() => {
    done()
  })
  const show = (made: PiSurfaceComponent): void => {
    component = made
    if (isDone) {
      made.dispose?.()
      return
    }
    const open = (): OpenSurface => {
      const surface =
        layout === undefined
          ? showComponent(runtime, made, surfaces, done)
          : showOverlay(runtime, made, layout(), surfaces, done)
      attach(surface)
      return surface
    }
    const handle = overlayHandle(open)
    options.onHandle?.(handle)
  }
  Promise.resolve()
    .then(() => factory(tui, ansiTheme, piKeybindings(), done))
    .then(show)
    .catch((error: unknown) => {
      reject(error)
      done()
    })
  return promise
}
