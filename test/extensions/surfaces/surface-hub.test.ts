// Tests the surfaces of a session: lines for each screen, the rate limit, keys, faults and ends.
import { Observable, Subject, of } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { registry } from '../../../lib/extensions/lifecycle/contribution-registry.ts'
import { drawAll } from '../../../lib/extensions/surfaces/draw-surfaces.ts'
import { surfaceHub } from '../../../lib/extensions/surfaces/surface-hub.ts'
import type { HeldSurface } from '../../../lib/extensions/surfaces/held-surface.ts'
import type { SurfaceHub } from '../../../lib/extensions/surfaces/surface-hub.ts'
import type { SurfaceComponent } from '../../../lib/extensions/index.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { ScreenSize } from '../../../lib/streams/surfaces/surfaces.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const size = { columns: 80, rows: 24 }

function scene() {
  const list = registry<HeldSurface>()
  const faults: string[] = []
  const end$ = new Subject<void>()
  const report = (owner: string, where: string, thrown: unknown): Failure => {
    const failure = Failure.from(thrown)
    faults.push(`${owner}, ${where}: ${failure.message}`)
    return failure
  }
  const hub = surfaceHub({ list, report, end$ })
  const show = (id: string, component: Partial<SurfaceComponent>): HeldSurface => {
    const invalid$ = new Subject<void>()
    const held: HeldSurface = {
      id,
      component: { placement: 'widget', render: ({ columns }) => [`${id} ${columns}`], ...component },
      invalid$,
      invalidate: () => invalid$.next(),
      end: () => registration.unregister(),
    }
    const registration = list.add({ owner: 'own', value: held, priority: 0, end$: new Subject() })
    return held
  }
  return { list, hub, faults, end$, report, show }
}

function drawnBy(hub: SurfaceHub, size$: Observable<ScreenSize> = of(size)) {
  const events: EventNamed<'surface'>[] = []
  const screen = hub.draw({ size$ }).subscribe((event) => events.push(event))
  return { events, screen }
}

describe('the lines of a surface', () => {
  it('are rendered for the size of each screen, also of one that comes later', () => {
    const { hub, show } = scene()
    show('a', {})
    const [wide, narrow] = [drawnBy(hub), drawnBy(hub, of({ columns: 20, rows: 10 }))]
    show('b', { placement: 'footer' })
    expect(wide.events).toEqual([
      { type: 'surface', id: 'a', placement: 'widget', position: 'above', source: 'own', columns: 80, lines: ['a 80'] },
      { type: 'surface', id: 'b', placement: 'footer', source: 'own', columns: 80, lines: ['b 80'] },
    ])
    expect(narrow.events.map(({ lines }) => lines)).toEqual([['a 20'], ['b 20']])
  })

  it('are not rendered before a screen has a size, and not after it is gone', () => {
    const { hub, show } = scene()
    let renderings = 0
    const held = show('a', { render: () => [String(++renderings)] })
    const { screen } = drawnBy(hub, new Subject())
    held.invalidate()
    screen.unsubscribe()
    const other = drawnBy(hub)
    other.screen.unsubscribe()
    held.invalidate()
    expect([renderings, hub.screen()]).toEqual([1, undefined])
  })

  it('end with an event, once', () => {
    const { hub, show, end$ } = scene()
    const { events, screen } = drawnBy(hub)
    const held = show('a', { key: () => undefined })
    held.end()
    held.end()
    end$.next()
    expect(events.map(({ closed, keys, lines }) => ({ closed, keys, lines }))).toEqual([
      { closed: undefined, keys: true, lines: ['a 80'] },
      { closed: true, keys: undefined, lines: [] },
    ])
    expect(screen.closed).toBe(true)
  })

  it.each([
    ['hold no control sequence but colours', ['\u001b[2J\u001b[1ma\u0007'], ['\u001b[1ma\u001b[0m']],
    ['are 64 KiB at most', Array<string>(10).fill('€'.repeat(4_000)), Array<string>(5).fill('€'.repeat(4_000))],
    ['are 16,384 units long at most', ['a'.repeat(100_000)], ['a'.repeat(16_384)]],
    ['are a thousand at most', Array<string>(5_000).fill(''), Array<string>(1_000).fill('')],
  ] satisfies [string, string[], string[]][])('%s', (_, rendered, lines) => {
    const { hub, show } = scene()
    show('a', { render: () => rendered })
    expect(drawnBy(hub).events[0]?.lines).toEqual(lines)
  })
})

it('is drawn 30 times a second at most, the latest lines win [S19d]', () => {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable }) => {
    const { list, report, show } = scene()
    let count = 0
    const held = show('a', { render: () => [String(count)] })
    const events$ = new Observable<string>((subscriber) => {
      const drawn$ = drawAll({ list, report, end$: cold('200ms e'), size$: cold('a', { a: size }) })
      subscriber.add(drawn$.subscribe({ next: ({ lines }) => subscriber.next(String(lines[0])), complete: () => subscriber.complete() })) // prettier-ignore
      const animation$ = cold('1ms a 9ms b 9ms c 9ms d 30ms e')
      subscriber.add(
        animation$.subscribe(() => {
          count++
          held.invalidate()
        }),
      )
    })
    // changes at 1, 11, 21, 31 and 62 ms
    expectObservable(events$).toBe('a 33ms b 33ms c 131ms |', { a: '0', b: '4', c: '5' })
  })
})

it('waits while the screen takes nothing, and then has the latest lines', () => {
  const { hub, show } = scene()
  let [count, isReady] = [0, false]
  show('a', { render: () => [String(++count)] })
  const ready$ = new Subject<void>()
  const events: EventNamed<'surface'>[] = []
  new TestScheduler(() => undefined).run(({ flush }) => {
    hub.draw({ size$: of(size), isReady: () => isReady, ready$ }).subscribe((event) => events.push(event))
    flush()
    expect(events).toEqual([])
    isReady = true
    ready$.next()
    flush()
  })
  expect(events.map(({ lines }) => lines)).toEqual([['1']])
})

describe('a key', () => {
  it('reaches its surface, which is rendered again', () => {
    const { hub, show } = scene()
    const keys: unknown[] = []
    show('a', {
      key: (key) => {
        keys.push(key)
        return { taken: false, text: 'all', submit: 'sent' }
      },
    })
    const answer = hub.press('a', { data: '\u001b[A', name: 'up' })
    expect([keys, answer]).toEqual([[{ data: '\u001b[A', name: 'up' }], { taken: false, text: 'all', submit: 'sent' }])
  })

  it.each([
    ['undefined', undefined, { taken: true }],
    ['null', null, { taken: true }],
    ['fields of another type', { taken: 'no', text: 1, submit: {} }, { taken: true }],
  ])('is taken if the answer is %s', (_, answer, expected) => {
    const { hub, show } = scene()
    show('a', { key: () => answer as undefined })
    expect(hub.press('a', { data: 'x' })).toEqual(expected)
  })

  it.each([
    ['an unknown surface', 'b', 'unknown_surface'],
    ['a surface that is closed', 'closed', 'unknown_surface'],
    ['a surface without keys', 'still', 'bad_request'],
  ])('for %s fails with a code', (_, id, code) => {
    const { hub, show } = scene()
    show('closed', { key: () => undefined }).end()
    show('still', {})
    expect(() => hub.press(id, { data: 'x' })).toThrow(expect.objectContaining({ code }))
  })
})

describe('a fault', () => {
  const fail = (): never => {
    throw new Error('broken')
  }

  it('of a rendering leaves the lines as they were, and the other surfaces alone', () => {
    const { hub, show, faults } = scene()
    let isBroken = false
    const held = show('a', { render: () => (isBroken ? fail() : ['fine']) })
    show('b', {})
    isBroken = true
    held.invalidate()
    expect([drawnBy(hub).events.map(({ id }) => id), faults]).toEqual([['b'], ['own, the surface a: broken']])
  })

  it.each([
    ['no list', 'text'],
    ['other things than strings', ['a', 1]],
  ])('is a rendering that returns %s', (_, rendered) => {
    const { hub, show, faults } = scene()
    show('a', { render: () => rendered as string[] })
    expect([drawnBy(hub).events, faults]).toEqual([
      [],
      ['own, the surface a: `render` has to return a list of strings'],
    ])
  })

  it('of a first rendering may end the surface, which nobody has seen then', () => {
    const { hub, show, list } = scene()
    const held = show('a', { render: () => (held.end(), fail()) })
    expect([drawnBy(hub).events.map(({ closed }) => closed), list.entries]).toEqual([[], []])
  })

  it('of a key and of closing reaches the client that did it, and the surface ends', () => {
    const { hub, show, faults, list } = scene()
    show('a', { key: fail, onClose: fail })
    expect(() => hub.press('a', { data: 'x' })).toThrow('broken')
    expect(() => {
      hub.close('a')
    }).toThrow('broken')
    expect([list.entries, faults]).toEqual([
      [],
      ['own, a key of the surface a: broken', 'own, the end of the surface a: broken'],
    ])
  })
})
