// Gives an extension its part of the api about surfaces: each ends with the extension.
import { Subject } from 'rxjs'
import { surfacePlacements } from '../../streams/surfaces/surfaces.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExtensionApi } from '../api/extension-api.ts'
import type { OpenSurface, SurfaceComponent } from '../api/surface-component.ts'
import type { HeldSurface } from '../surfaces/held-surface.ts'
import type { ApiParts } from './api-parts.ts'

/** Surfaces of a session that are open at once. */
export const mostSurfaces = 50
const longestId = 100

export function surfacePart(parts: ApiParts): Pick<ExtensionApi['ui'], 'screen' | 'surface'> {
  let number = 0
  return {
    screen: parts.screen,
    surface: (component) => openSurface(parts, component, component.id ?? String(++number)),
  }
}

/** @throws Failure `bad_request` */
function openSurface(parts: ApiParts, component: SurfaceComponent, ownId: string): OpenSurface {
  const { manifest, life, contributions } = parts
  checkComponent(parts, component, ownId)
  const id = `${manifest.name}:${ownId}`
  const { surfaces } = contributions
  const replaced = surfaces.entries.find(({ value }) => value.id === id)?.value
  if (surfaces.entries.length >= mostSurfaces)
    throw new Failure('bad_request', `${mostSurfaces} surfaces are open already`)
  const own = life.child()
  const invalid$ = new Subject<void>()
  const held: HeldSurface = {
    ...{ id, component, invalid$, end: own.end },
    invalidate: () => {
      invalid$.next()
    },
  }
  const registration = surfaces.add({ owner: manifest.name, value: held, priority: 0, end$: own.end$ })
  own.onEnd(registration.unregister)
  replaced?.end() // after it: a screen then shows no gap
  return {
    id,
    get isOpen() {
      return !own.ended
    },
    invalidate: held.invalidate,
    unregister: own.end,
  }
}

function checkComponent({ manifest, life, screen }: ApiParts, component: SurfaceComponent, id: string): void {
  const { placement, render } = component
  if (life.ended) throw new Failure('bad_request', `The extension ${manifest.name} was unloaded`)
  if (!surfacePlacements.includes(placement)) {
    const known = surfacePlacements.join(', ')
    throw new Failure('bad_request', `There is no place ${JSON.stringify(placement)}; the places are ${known}`)
  }
  if (typeof render !== 'function') throw new Failure('bad_request', 'A surface needs a function `render`')
  if (id === '' || id.length > longestId)
    throw new Failure('bad_request', `The id of a surface has 1 to ${longestId} characters`)
  if (placement === 'dialog' && screen() === undefined)
    throw new Failure('not_allowed', 'No client that draws surfaces is attached, so no person could answer the dialog')
}
