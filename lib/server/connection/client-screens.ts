// Holds the screen of a client for each session that it is attached to, and sends what is drawn.
import { EMPTY, Observable, ReplaySubject, map } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { ScreenSize, Surfaces } from '../../streams/surfaces/surfaces.ts'
import type { Pressure } from '../feed/feed.ts'
import type { ServedSession } from '../feed/served-session.ts'
import { transientFrame } from '../protocol/frame.ts'
import { lineBatch } from '../protocol/transport.ts'
import type { LineBatch } from '../protocol/transport.ts'

/** UTF-16 units: a client with more unsent gets no lines of surfaces until it has taken them. */
const unsentLimit = 65_536

export interface ClientScreens {
  /**
   * The lines of an attachment, and between them the surfaces of its session, from the first `resize` on. Ends, fails and buffers as
   * `lines$`. While subscribed, the client is attached.
   */
  withSurfaces(served: ServedSession, lines$: Observable<LineBatch>): Observable<LineBatch>
  /** @throws Failure `bad_request` if the client is not attached to the session */
  resize(session: string, size: ScreenSize): void
  /** @throws Failure as `resize` does */
  surfaces(session: string): Surfaces
}

interface Screen {
  readonly size$: ReplaySubject<ScreenSize>
  readonly surfaces: Surfaces
}

export function clientScreens({ unsent, drained$ }: Pick<Pressure, 'unsent' | 'drained$'>): ClientScreens {
  const screens = new Map<string, Screen>()
  const find = (session: string): Screen => {
    const screen = screens.get(session)
    if (screen !== undefined) return screen
    throw new Failure('bad_request', `This client is not attached to session ${session}; send attach first`)
  }
  return {
    withSurfaces: ({ session }, lines$) =>
      new Observable((subscriber) => {
        const screen = { size$: new ReplaySubject<ScreenSize>(1), surfaces: session.surfaces ?? noSurfaces }
        screens.set(session.id, screen)
        subscriber.add(() => {
          if (screens.get(session.id) === screen) screens.delete(session.id)
        })
        const isReady = (): boolean => unsent() < unsentLimit
        const drawn$ = screen.surfaces
          .draw({ size$: screen.size$, isReady, ready$: drained$ })
          .pipe(map((event) => lineBatch(transientFrame(session.id, event))))
        subscriber.add(beside(lines$, drawn$).subscribe(subscriber))
      }),
    resize: (session, size) => {
      find(session).size$.next(size)
    },
    surfaces: (session) => find(session).surfaces,
  }
}

/** Emits both, and ends as the first one does. */
function beside<Value>(main$: Observable<Value>, other$: Observable<Value>): Observable<Value> {
  return new Observable((subscriber) => {
    const others = other$.subscribe({
      next: (value) => subscriber.next(value),
      error: (error: unknown) => subscriber.error(error),
    })
    subscriber.add(others)
    subscriber.add(main$.subscribe(subscriber))
  })
}

/** Of a session without extensions. */
const noSurfaces: Surfaces = {
  draw: () => EMPTY,
  press: unknownSurface,
  close: unknownSurface,
}

function unknownSurface(surface: string): never {
  throw new Failure('unknown_surface', `There is no surface ${JSON.stringify(surface)} in this session`, {
    data: { surface },
  })
}
