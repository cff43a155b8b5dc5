// Holds the open surfaces of one session: draws them for each screen, and hands keys to them.
// Guarantees: a throw of a component is a fault of its extension, and reaches no client and no other surface.
import { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type {
  DrawOptions,
  PressedKey,
  ScreenSize,
  SurfaceKeyAnswer,
  Surfaces,
} from '../../streams/surfaces/surfaces.ts'
import { drawAll } from './draw-surfaces.ts'
import type { HubOptions, SurfaceEntry } from './held-surface.ts'

export interface SurfaceHub extends Surfaces {
  /** The size that a screen reported last; undefined without a screen. */
  screen(): ScreenSize | undefined
}

export function surfaceHub({ list, report, end$ }: HubOptions): SurfaceHub {
  const screens = screenSizes()
  const find = (id: string): SurfaceEntry => {
    const entry = list.entries.find(({ value }) => value.id === id)
    if (entry !== undefined) return entry
    throw new Failure('unknown_surface', `There is no surface ${JSON.stringify(id)} in this session`, {
      data: { surface: id },
    })
  }
  return {
    screen: screens.latest,
    draw: (options) => drawAll({ ...options, ...screens.watch(options), list, report, end$ }),
    press: (id, key) => {
      const { owner, value } = find(id)
      const { component } = value
      if (component.key === undefined) throw new Failure('bad_request', `The surface ${id} takes no keys`)
      const answer = guarded(() => component.key?.(key), owner, `a key of the surface ${id}`, report)
      value.invalidate()
      return readAnswer(answer)
    },
    close: (id) => {
      const { owner, value } = find(id)
      value.end()
      guarded(() => value.component.onClose?.(), owner, `the end of the surface ${id}`, report)
    },
  }
}

/** @throws the fault as a Failure that names the extension */
function guarded<Value>(act: () => Value, owner: string, where: string, report: HubOptions['report']): Value {
  try {
    return act()
  } catch (thrown) {
    throw report(owner, where, thrown)
  }
}

/** Of what an extension returned, the fields that have the right type. */
function readAnswer(answer: unknown): PressedKey {
  if (typeof answer !== 'object' || answer === null) return { taken: true }
  const { taken, text, submit } = answer as Readonly<Record<keyof SurfaceKeyAnswer, unknown>>
  return {
    taken: taken !== false,
    ...(typeof text === 'string' && { text }),
    ...(typeof submit === 'string' && { submit }),
  }
}

/** The sizes of the screens that are drawn now, the one that changed last at the end. */
function screenSizes() {
  const sizes = new Map<object, ScreenSize>()
  return {
    latest: () => [...sizes.values()].at(-1),
    watch: ({ size$ }: Pick<DrawOptions, 'size$'>): Pick<DrawOptions, 'size$'> => ({
      size$: new Observable<ScreenSize>((subscriber) => {
        const screen = {}
        subscriber.add(() => sizes.delete(screen))
        subscriber.add(
          size$.subscribe({
            next: (size) => {
              sizes.delete(screen)
              sizes.set(screen, size)
              subscriber.next(size)
            },
            error: (error: unknown) => {
              subscriber.error(error)
            },
            complete: () => undefined, // the screen stays until it is unsubscribed
          }),
        )
      }),
    }),
  }
}
