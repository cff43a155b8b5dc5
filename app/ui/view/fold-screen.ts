// Folds what surrounds the conversation: inputs of the screen itself, and what extensions show.
import type { ExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { isRecord } from '../../../lib/streams/values/json.ts'
import { foldDrawing } from './fold-tool-event.ts'
import { addNotice } from './view.ts'
import type { ViewInput } from './view-input.ts'
import type { View } from './view.ts'

type ScreenInput = Extract<
  ViewInput,
  {
    readonly type:
      | 'theme'
      | 'extension_theme'
      | 'extension_ui'
      | 'rendered'
      | 'tool_drawing'
      | 'tool_drawn'
      | 'history_drawn'
      | 'toggle_thinking'
      | 'toggle_expanded'
      | 'redraw'
      | 'lent'
      | 'focus'
      | 'notifies'
      | 'surface_closed'
      | 'attached'
  }
>

export function foldScreen(view: View, input: ScreenInput): View {
  switch (input.type) {
    case 'extension_ui':
      return foldExtensionUi(view, input.extensions, input.before)
    case 'rendered':
      return { ...view, live: [...view.live, { kind: 'rendered', id: `event-${input.seq}`, nodes: input.nodes }] }
    case 'tool_drawing':
    case 'tool_drawn':
    case 'history_drawn':
      return foldDrawing(view, input)
    case 'extension_theme':
      return { ...view, extensionTheme: input.name }
    case 'theme': {
      const { theme: _, extensionTheme: __, ...fitting } = view
      return input.theme === undefined ? fitting : { ...fitting, theme: input.theme }
    }
    case 'toggle_thinking':
      return { ...view, showsThinking: !view.showsThinking }
    case 'toggle_expanded':
      return { ...view, isExpanded: !view.isExpanded }
    case 'redraw':
      return { ...view, generation: view.generation + 1 }
    case 'lent':
      return { ...view, isLent: input.isLent }
    case 'focus':
      return { ...view, isFocused: input.isFocused }
    case 'notifies':
      return { ...view, notifies: input.notifies }
    case 'surface_closed':
      return withoutSurface(view, input.surface)
    case 'attached':
      return foldAttached(view)
  }
}

/**
 * Replaces everything. @param before notices of events up to this `seq` were missed: they are shown; absent: none are
 */
export function foldExtensionUi(view: View, extensions: ExtensionUi, before: number | undefined): View {
  const missed = before === undefined ? [] : extensions.notices.filter(({ seq }) => seq < before)
  return missed.reduce(
    (shown, { extension, level, text }) =>
      addNotice(shown, { level, text: level === 'info' ? `${extension}: ${text}` : text }),
    { ...view, extensions },
  )
}

/** The event `status` with the code `extension_status`: one text is new, changed or gone. */
export function foldExtensionStatus(view: View, { context }: EventNamed<'status'>): View {
  const { extension, key, text } = isRecord(context) ? context : {}
  if (typeof extension !== 'string' || typeof key !== 'string') return view
  const { statuses } = view.extensions
  const isSame = (each: ExtensionUi['statuses'][number]): boolean => each.extension === extension && each.key === key
  if (typeof text !== 'string')
    return withStatuses(
      view,
      statuses.filter((each) => !isSame(each)),
    )
  const next = { extension, key, text }
  const isKnown = statuses.some(isSame)
  return withStatuses(view, isKnown ? statuses.map((each) => (isSame(each) ? next : each)) : [...statuses, next])
}

function withStatuses(view: View, statuses: ExtensionUi['statuses']): View {
  return { ...view, extensions: { ...view.extensions, statuses } }
}

export type Surface = EventNamed<'surface'>

/** Surfaces that are shown; a server has no more. */
const maxSurfaces = 50

/** Folds a surface of an extension: its lines replace those before them, its end removes it. */
export function foldSurface(view: View, event: Surface): View {
  if (event.closed === true) return withoutSurface(view, event.id)
  const { surfaces } = view
  const isKnown = surfaces.some(({ id }) => id === event.id)
  if (isKnown) return { ...view, surfaces: surfaces.map((each) => (each.id === event.id ? event : each)) }
  return { ...view, surfaces: [...surfaces, event].slice(-maxSurfaces) }
}

export function withoutSurface(view: View, surface: string): View {
  return { ...view, surfaces: view.surfaces.filter(({ id }) => id !== surface) }
}

/** The server sends all surfaces again once it knows the size of the screen. */
export function foldAttached(view: View): View {
  return { ...view, surfaces: [], attachments: view.attachments + 1 }
}

/** The newest surface of a place. */
export function surfaceAt({ surfaces }: Pick<View, 'surfaces'>, placement: string): Surface | undefined {
  return surfaces.findLast((each) => each.placement === placement)
}

/** The surface that has the keys: a dialog before an editor; none under an overlay of the UI. */
export function surfaceWithKeys(view: Pick<View, 'surfaces' | 'overlay'>): Surface | undefined {
  if (view.overlay !== undefined) return undefined
  return surfaceAt(view, 'dialog') ?? surfaceAt(view, 'editor')
}
