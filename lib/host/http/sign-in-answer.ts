// Reads the answer of a sign-in from the browser's last page, or from what a person pastes.
// Guarantees: an answer counts once, and only with the state of its sign-in.
import { filter, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { CallbackEvent, CallbackPage, CallbackRequest } from './loopback-callback.ts'

export interface SignInAnswer {
  readonly parameters: URLSearchParams
  readonly respond: CallbackRequest['respond']
}

/** The port of the page is another program's: a person pastes the answer. */
export type ListenEvent = CallbackEvent | { readonly type: 'taken' }

/**
 * Emits the first answer that is of this sign-in; others get a page that explains why not. Ends with its source.
 * @param isOwn true for the parameters of this sign-in
 */
export function callbackAnswers(
  events$: Observable<ListenEvent>,
  isOwn: (parameters: URLSearchParams) => boolean,
): Observable<SignInAnswer> {
  let isUsed = false
  return events$.pipe(
    filter((event) => event.type === 'request'),
    mergeMap(({ parameters, respond }) => {
      const hasAnswer = parameters.has('code') || parameters.has('error')
      if (isOwn(parameters) && hasAnswer && !isUsed) {
        isUsed = true
        return of({ parameters, respond })
      }
      respond(isUsed && isOwn(parameters) ? usedPage : foreignPage)
      return []
    }),
  )
}

const usedPage: CallbackPage = {
  status: 409,
  title: 'This answer was used',
  text: 'The sign-in takes one answer. Look in rxpi for its outcome.',
}

const foreignPage: CallbackPage = {
  status: 400,
  title: 'Not an answer to this sign-in',
  text: 'This page does not belong to the sign-in that rxpi began. Open the address that rxpi shows.',
}

/**
 * Reads the address to which the browser was sent, `code#state`, a query, or the bare code.
 * @throws Failure `bad_request` for an answer to another sign-in, or none
 */
export function readPasted(text: string, state: string): URLSearchParams {
  const value = text.trim()
  const [code = '', ownState] = value.split('#', 2)
  const query = URL.parse(value)?.searchParams ?? new URLSearchParams(value.includes('code=') ? value : { code })
  const found = query.get('state') ?? (value.includes('code=') ? undefined : ownState) ?? state
  if (!query.get('code')) {
    throw new Failure(
      'bad_request',
      'This is no answer of a sign-in: paste the whole address of the last page, or its code.',
    )
  }
  if (found === state) return new URLSearchParams([...query, ...(query.has('state') ? [] : [['state', state]])])
  throw new Failure('bad_request', 'This is the answer to another sign-in: open the address that rxpi shows now.')
}
