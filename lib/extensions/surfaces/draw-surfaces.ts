// Draws every open surface for one screen: renders what changed, at most 30 times a second each.
import {
  EMPTY,
  Observable,
  Subscription,
  asyncScheduler,
  filter,
  map,
  merge,
  shareReplay,
  takeUntil,
  throttleTime,
  withLatestFrom,
} from 'rxjs'
import type { SchedulerLike } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import type { DrawOptions, ScreenSize } from '../../streams/surfaces/surfaces.ts'
import { surfaceEvent, surfaceLines } from './surface-lines.ts'
import type { HubOptions, SurfaceEntry } from './held-surface.ts'

/** Milliseconds between two renderings of a surface for one screen. */
export const renderEveryMs = 34

export type DrawParts = DrawOptions & HubOptions & { readonly scheduler?: SchedulerLike }

/**
 * Emits `surface` events from the first size on. A surface is rendered at once and then every 34 ms at most; a rendering that gives the
 * lines of the last one is not emitted. Holds the last lines of each surface. Completes when `end$` emits or `size$` completes
 * before its first size; fails with `size$`. Unsubscribing stops rendering.
 */
export function drawAll(parts: DrawParts): Observable<EventNamed<'surface'>> {
  return drawList(parts).pipe(takeUntil(parts.end$))
}

function drawList(parts: DrawParts): Observable<EventNamed<'surface'>> {
  const { list, size$ } = parts
  return new Observable<EventNamed<'surface'>>((subscriber) => {
    const shared$ = size$.pipe(shareReplay({ bufferSize: 1, refCount: true }))
    const drawn = new Map<SurfaceEntry, Subscription>()
    const shown = new Set<string>()
    const closeGone = (): void => {
      for (const [entry, drawing] of drawn) {
        if (list.entries.includes(entry)) continue
        drawn.delete(entry)
        drawing.unsubscribe()
        const isReplaced = list.entries.some(({ value }) => value.id === entry.value.id)
        if (isReplaced || !shown.delete(entry.value.id)) continue
        subscriber.next(surfaceEvent(entry, { closed: true, lines: [] }))
      }
    }
    const drawNew = (): void => {
      for (const entry of list.entries) {
        if (drawn.has(entry) || !list.entries.includes(entry)) continue
        const drawing = new Subscription()
        drawn.set(entry, drawing) // first: a fault of its first rendering can end it
        const events$ = drawOne(entry, { ...parts, size$: shared$ })
        const draw = (event: EventNamed<'surface'>): void => {
          shown.add(event.id)
          subscriber.next(event)
        }
        drawing.add(events$.subscribe(draw))
      }
    }
    const update = (): void => {
      closeGone()
      drawNew()
    }
    subscriber.add(() => {
      for (const drawing of drawn.values()) drawing.unsubscribe()
    })
    subscriber.add(shared$.subscribe({ error: (error: unknown) => subscriber.error(error) }))
    subscriber.add(list.changed$.subscribe(update))
    update()
  })
}

function drawOne(
  entry: SurfaceEntry,
  { size$, isReady = () => true, ready$ = EMPTY, report, scheduler = asyncScheduler }: DrawParts,
): Observable<EventNamed<'surface'>> {
  const { component, invalid$, id } = entry.value
  let last: { readonly columns: number; readonly lines: readonly string[] } | undefined
  const render = (size: ScreenSize): readonly string[] | undefined => {
    try {
      return surfaceLines(component.render(size))
    } catch (thrown) {
      report(entry.owner, `the surface ${id}`, thrown)
      return undefined
    }
  }
  return merge(size$, invalid$, ready$).pipe(
    withLatestFrom(size$),
    throttleTime(renderEveryMs, scheduler, { leading: true, trailing: true }),
    filter(isReady),
    map(([, { columns, rows }]) => {
      const lines = render({ columns, rows })
      if (lines === undefined || (last?.columns === columns && isSame(last.lines, lines))) return undefined
      last = { columns, lines }
      return surfaceEvent(entry, last)
    }),
    filter((event) => event !== undefined),
  )
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((line, index) => line === after[index])
}
