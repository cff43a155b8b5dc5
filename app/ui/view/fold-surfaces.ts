// Folds the surfaces of extensions: lines replace those before them, an end removes them.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { View } from './view.ts'

export type Surface = EventNamed<'surface'>

/** Surfaces that are shown; a server has no more. */
const mostSurfaces = 50

export function foldSurface(view: View, event: Surface): View {
  if (event.closed === true) return withoutSurface(view, event.id)
  const { surfaces } = view
  const isKnown = surfaces.some(({ id }) => id === event.id)
  if (isKnown) return { ...view, surfaces: surfaces.map((each) => (each.id === event.id ? event : each)) }
  return { ...view, surfaces: [...surfaces, event].slice(-mostSurfaces) }
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
