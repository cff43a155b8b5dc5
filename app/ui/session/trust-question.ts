// Decides whether the UI asks about trust of the folder before its first session opens.
import { catchError, distinctUntilChanged, filter, map, of, skipWhile, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { SessionChoice } from '../../cli/invocation.ts'
import type { ProcessWorld } from '../../process/world.ts'
import type { Ui } from '../contract/ui.ts'
import type { View } from '../view/view.ts'

/** The overlay of the question. */
export const trustOverlay = { name: 'picker', picker: 'trust' } as const

/**
 * Emits once and completes. False with `--trust`, for a session by its id, which has its own folder, and if the server cannot
 * tell: a session then opens without trust.
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

function isOpen({ overlay }: View): boolean {
  return overlay?.name === trustOverlay.name && overlay.picker === trustOverlay.picker
}
