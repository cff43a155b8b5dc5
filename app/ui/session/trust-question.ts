// Decides when the UI asks about trust: at its start, and about the folder of an opened session.
import { catchError, distinctUntilChanged, filter, map, of, skipWhile, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { SessionChoice } from '../../cli/invocation.ts'
import type { ProcessWorld } from '../../process/world.ts'
import type { Ui } from '../contract/ui.ts'
import type { OpenedInput, ViewInput } from '../view/view-input.ts'
import type { View } from '../view/view.ts'

/** The overlay of the question. */
export const trustOverlay = { name: 'picker', picker: 'trust' } as const

/**
 * Emits once and completes. False with `--trust`, for a session by its id, which has its own folder, and if the server
 * cannot tell: a session then opens without trust.
 */
export function needsTrustAnswer(
  client: Pick<ReconnectingClient, 'request'>,
  { cwd, from, trust = false }: SessionChoice,
  env: ProcessWorld['env'],
): Observable<boolean> {
  if (trust || typeof from === 'object') return of(false)
  return client.request({ type: 'trust_folder', cwd, env: { ...env } }).pipe(
    map(({ state }) => state === 'untrusted' || state === 'changed'),
    catchError(() => of(false)),
  )
}

/** Emits once, when the question was shown and is closed again, and completes. */
export function trustAnswered(ui: Pick<Ui, 'view$'>): Observable<unknown> {
  return ui.view$.pipe(
    map(isOpen),
    distinctUntilChanged(),
    skipWhile((open) => !open),
    filter((open) => !open),
    take(1),
  )
}

/** The `argument` of the question about an open session: after a yes it opens again. */
export const reopenArgument = 'reopen'

export interface TrustQuestions {
  /** Remembers that the question about this folder was shown. */
  onShown(cwd: string): void
  /**
   * The question to show after this opening, or nothing: each folder is asked about once, and a session at work is not
   * disturbed.
   */
  after(input: OpenedInput): readonly ViewInput[]
}

export function trustQuestions(): TrustQuestions {
  const shown = new Set<string>()
  return {
    onShown: (cwd) => shown.add(cwd),
    after: ({ opened: { header, notices, readOnly }, status }) => {
      const isFree = status.running === undefined && status.requests.length === 0 && readOnly === undefined
      const isUntrusted = notices.some(({ code }) => code === 'folder_untrusted')
      if (!isFree || !isUntrusted || shown.has(header.cwd)) return []
      shown.add(header.cwd)
      return [{ type: 'overlay', overlay: { ...trustOverlay, argument: reopenArgument } }]
    },
  }
}

/** True for the input that opens the question. */
export function isTrustQuestion(input: ViewInput): boolean {
  return input.type === 'overlay' && isOpen(input)
}

function isOpen({ overlay }: Pick<View, 'overlay'>): boolean {
  return overlay?.name === trustOverlay.name && overlay.picker === trustOverlay.picker
}
