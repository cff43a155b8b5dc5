// Shows components of modules of pi as surfaces: custom dialogs, widgets, footer, header, editor.
import { catchError, of } from 'rxjs'
import type { SurfaceKeyAnswer } from '../../../streams/surfaces/surfaces.ts'
import type { OpenSurface, SurfaceComponent } from '../../api/surface-component.ts'
import type { PiComponentFactory, PiSurfaceComponent } from '../contract/pi-registrations.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { ansiTheme, editorTheme } from '../modules/ansi-theme.ts'
import { piKeybindings } from '../modules/pi-tui.ts'
import { Failure } from '../../../streams/values/failure.ts'
import { untilScreen } from './replace-session.ts'
import { showCustom } from '../surfaces/show-custom.ts'
import type { CustomOptions } from '../surfaces/show-custom.ts'
import { componentPart, surfaceTui } from '../surfaces/surface-tui.ts'

/** The parts of `ctx.ui` that draw. */
export function piSurfaces(runtime: PiRuntime): PiRecord {
  const slots = new Map<string, Slot>()
  return {
    custom: (factory: PiComponentFactory, options: CustomOptions = {}) => showCustom(runtime, factory, options),
    setWidget: (
      key: string,
      content: readonly string[] | PiComponentFactory | undefined,
      options: { placement?: string } = {},
    ) => {
      const position = options.placement === 'belowEditor' ? 'below' : 'above'
      const where = { placement: 'widget', position, id: `widget ${key}` } as const
      fillSlot(runtime, slots, where, typeof content === 'function' ? content : linesFactory(content), [])
    },
    setFooter: (factory: PiComponentFactory | undefined) => {
      const where = { placement: 'footer', id: 'footer' } as const
      fillSlot(runtime, slots, where, factory, [footerData(runtime, slots)])
    },
    setHeader: (factory: PiComponentFactory | undefined) => {
      fillSlot(runtime, slots, { placement: 'header', id: 'header' }, factory, [])
    },
    ...editorPart(runtime, slots),
  }
}

interface Slot {
  surface: OpenSurface | undefined
  component: PiSurfaceComponent | undefined
  /** True once another one, or none, was set. */
  isOver: boolean
}

type Where = Pick<SurfaceComponent, 'placement' | 'position'> & { readonly id: string }

function linesFactory(lines: readonly string[] | undefined): PiComponentFactory | undefined {
  return lines && (() => ({ render: () => [...lines] }))
}

/** Replaces what stands at a place; a factory may answer later. */
function fillSlot(
  runtime: PiRuntime,
  slots: Map<string, Slot>,
  where: Where,
  factory: PiComponentFactory | undefined,
  more: readonly unknown[],
): void {
  const { id, placement } = where
  const before = slots.get(id)
  if (before !== undefined) before.isOver = true
  slots.delete(id)
  const end = (): void => {
    before?.surface?.unregister()
    before?.component?.dispose?.()
  }
  if (factory === undefined) {
    end()
    return
  }
  const slot: Slot = { surface: undefined, component: undefined, isOver: false }
  slots.set(id, slot)
  const { tui, attach } = surfaceTui(runtime)
  const show = (component: PiSurfaceComponent): void => {
    if (slot.isOver) {
      component.dispose?.()
      return
    }
    const part = placement === 'editor' ? editorComponent(component) : { render: componentPart(component).render }
    slot.component = component
    slot.surface = runtime.api.ui.surface({ ...where, ...part, onClose: () => component.dispose?.() })
    attach(slot.surface)
    before?.component?.dispose?.()
  }
  const made = factory(tui, placement === 'editor' ? editorTheme : ansiTheme, ...more)
  if (!(made instanceof Promise)) show(made)
  else
    made.then(show).catch((error: unknown) => {
      runtime.api.ui.notify(`${runtime.path}: the component of ${id} failed: ${String(error)}`, 'error')
    })
}

/** Keys go to the editor; what it leaves, and what it submits, goes to the client. */
function editorComponent(component: PiSurfaceComponent): Pick<SurfaceComponent, 'render' | 'key'> {
  let taken = true
  let submit: string | undefined
  const leave = (): void => {
    taken = false
  }
  component.focused = true
  Object.assign(component, {
    onEscape: leave,
    onCtrlD: leave,
    onSubmit: (text: string) => {
      submit = text
    },
  })
  return {
    render: ({ columns }) => component.render(columns),
    key: ({ data }): SurfaceKeyAnswer => {
      taken = true
      submit = undefined
      component.handleInput?.(data)
      return { taken, text: component.getText?.(), submit }
    },
  }
}

function editorPart(runtime: PiRuntime, slots: Map<string, Slot>): PiRecord {
  let current: PiComponentFactory | undefined
  const { limits } = runtime
  const editor = (): PiSurfaceComponent | undefined => slots.get('editor')?.component
  const setOwnText = (text: string): void => {
    editor()?.setText?.(text)
    slots.get('editor')?.surface?.invalidate()
  }
  return {
    setEditorComponent: (factory: PiComponentFactory | undefined) => {
      current = factory
      fillSlot(runtime, slots, { placement: 'editor', id: 'editor' }, factory, [piKeybindings()])
    },
    getEditorComponent: () => current,
    getEditorText: () => {
      if (editor()?.getText === undefined) limits.report('ctx.ui.getEditorText', 'the text of a client is not known')
      return editor()?.getText?.() ?? ''
    },
    setEditorText: (text: string) => {
      if (editor()?.setText === undefined) void setClientText(runtime, text, false)
      else setOwnText(text)
    },
    pasteToEditor: (text: string) => {
      if (editor()?.setText === undefined) void setClientText(runtime, text, true)
      else setOwnText(`${editor()?.getText?.() ?? ''}${text}`)
    },
  }
}

/** Sets the text of the client's input, once it shows the session; without a client the text is a notice. */
async function setClientText(runtime: PiRuntime, text: string, keepTyped: boolean): Promise<void> {
  const { api, limits } = runtime
  try {
    if (api.ui.screen() !== undefined || (await untilScreen(runtime))) {
      api.ui.editorText(text, { keepTyped })
      return
    }
    limits.report('the text of an editor', 'it is shown as a notice, because no client that draws is attached')
    api.ui.notify(text)
  } catch (error) {
    api.ui.notify(`${runtime.path}: ${Failure.from(error).message}`, 'error')
  }
}

/** Data for footers only: the branch, and the status texts. */
function footerData({ api, statuses }: PiRuntime, slots: Map<string, Slot>): PiRecord {
  let branch: string | null = null
  const listeners = new Set<() => void>()
  const read$ = api.exec('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { timeoutMs: 5_000 })
  read$.pipe(catchError(() => of({ code: 1, stdout: '' }))).subscribe(({ code, stdout }) => {
    if (code !== 0) return // no repository, or no git
    branch = stdout.trim()
    for (const listener of listeners) listener()
    slots.get('footer')?.surface?.invalidate()
  })
  return {
    getGitBranch: () => branch,
    getExtensionStatuses: () => new Map(statuses), // those of other extensions are in the row of the client
    getAvailableProviderCount: () => 1,
    onBranchChange: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
