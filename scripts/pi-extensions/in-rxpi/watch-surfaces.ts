// Records the surfaces of a session at a screen of 80 columns, and presses the keys of the situation.
import type { Session } from '../../../lib/index.ts'
import { surfaceRows, surfaceWidth } from '../contract/surface-width.ts'
import { plainLines } from '../contract/plain-text.ts'
import { NEVER, concat, of } from 'rxjs'
import type { Subscription } from 'rxjs'
import type { Shown } from '../contract/extension-record.ts'
import type { UserAnswers } from '../contract/user-answers.ts'

interface Watched {
  readonly shown: Shown[]
  readonly answers: UserAnswers
}

/** Milliseconds between two keys, and for lines that are drawn 30 times a second. */
const keyMs = 20
const drawMs = 60

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** By session, until it is closed: the end of its surfaces is not listed then. */
const watching = new WeakMap<Session, Subscription>()

/** The screen is gone: what disappears with the session is not listed. */
export function stopWatchingSurfaces(session: Session): void {
  watching.get(session)?.unsubscribe()
}

export function isWatched(session: Session): boolean {
  return watching.get(session)?.closed !== true
}

/** A component is listed when it is shown, a dialog also as the keys leave it; as the record of pi lists them. */
export function watchSurfaces(session: Session, watched: Watched): void {
  const open = new Map<string, readonly string[]>()
  const { shown } = watched
  const { surfaces } = session
  if (surfaces === undefined) return
  const play = new DialogPlayer(session, watched, open)
  const size$ = concat(of({ columns: surfaceWidth, rows: surfaceRows }), NEVER)
  const drawing = surfaces.draw({ size$ }).subscribe((event) => {
    const id = event.id.slice(event.id.indexOf(':') + 1)
    const isNew = !open.has(event.id)
    if (event.closed === true) open.delete(event.id)
    else open.set(event.id, event.lines)
    const show = (kind: string, lines: readonly string[]): void => {
      shown.push({ kind, text: event.closed === true ? '(none)' : plainLines(lines) })
    }
    switch (event.placement) {
      case 'widget':
        show(`${id} ${event.position === 'below' ? 'belowEditor' : 'aboveEditor'}`, event.lines)
        break
      case 'header':
      case 'footer':
        // the record of pi lists a component one step later
        if (isNew) queueMicrotask(() => show(event.placement, event.lines))
        else if (event.closed === true) show(event.placement, [])
        break
      case 'editor':
        if (event.closed === true) show('editor component', [])
        else if (isNew) void play.editor(event.id)
        break
      default:
        if (isNew && event.closed !== true) void play.dialog(event.id, id.startsWith('overlay') ? 'overlay' : 'dialog surface') // prettier-ignore
    }
  })
  watching.set(session, drawing)
}

class DialogPlayer {
  readonly #session: Session
  readonly #watched: Watched
  readonly #open: ReadonlyMap<string, readonly string[]>

  constructor(session: Session, watched: Watched, open: ReadonlyMap<string, readonly string[]>) {
    this.#session = session
    this.#watched = watched
    this.#open = open
  }

  async editor(id: string): Promise<void> {
    await Promise.resolve()
    for (const key of ['a', 'b']) this.#press(id, key)
    await wait(drawMs)
    this.#watched.shown.push({ kind: 'editor component', text: plainLines(this.#open.get(id) ?? []) })
  }

  async dialog(id: string, kind: string): Promise<void> {
    const { shown, answers } = this.#watched
    shown.push({ kind, text: plainLines(this.#open.get(id) ?? []) })
    for (const key of answers.next('keys', ['\r', '\u001B']) ?? []) {
      await wait(keyMs)
      if (!this.#open.has(id)) break
      this.#press(id, key)
    }
    await wait(keyMs)
    if (!this.#open.has(id)) return
    await wait(drawMs)
    const lines = this.#open.get(id)
    if (lines === undefined) return
    shown.push({ kind, text: `left open: ${plainLines(lines)}` })
    this.#session.surfaces?.close(id)
  }

  #press(id: string, data: string): void {
    this.#session.surfaces?.press(id, { data })
  }
}
