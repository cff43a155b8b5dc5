// Signs in with a browser: listens for the answer of its last page, and takes a pasted one.
// Guarantees: an answer counts once, and only with the state of its sign-in.
import {
  NEVER,
  Subject,
  catchError,
  concat,
  concatMap,
  connect,
  exhaustMap,
  filter,
  first,
  map,
  merge,
  mergeMap,
  of,
  switchMap,
  takeWhile,
  tap,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import { listenForCallback } from './loopback-callback.ts'
import type { CallbackEvent, CallbackPage, CallbackRequest } from './loopback-callback.ts'

export type SignInUpdate<Grant> =
  /** A person opens the page. `listens` is false if another program has the port: then they paste the answer. */
  | { readonly step: 'open_url'; readonly url: string; readonly listens: boolean }
  | { readonly step: 'finishing' }
  | { readonly step: 'granted'; readonly grant: Grant }

/** One sign-in. */
export interface BrowserSignIn<Grant> {
  /** Emits the steps; completes after `granted`, or fails with a Failure. Unsubscribing cancels it. */
  readonly updates$: Observable<SignInUpdate<Grant>>
  /** Takes what a person pasted. @throws Failure `bad_request` if it is not of this sign-in */
  input(text: string): void
}

export interface BrowserSignInOptions<Begun extends { readonly url: string }, Grant> {
  readonly state: string
  /** The port that the last page calls. 0: any that is free. */
  readonly port: number
  /** The path of the last page. */
  readonly path: string
  /** Whether the parameters are of this sign-in. Default: they have its state. */
  readonly isOwn?: (parameters: URLSearchParams) => boolean
  /** Prepares the page that a person opens, `url`. @param port to which its last page returns */
  begin(port: number, signal: AbortSignal): Promise<Begun>
  exchange(begun: Begun, parameters: URLSearchParams, signal: AbortSignal): Promise<Grant>
  /** The sentence of the last page after a success. */
  readonly success: string
  /** Describes what ended the sign-in. */
  toFailure(error: unknown): Failure
}

/** Another program may have a fixed port: then a person pastes the answer. Nothing is done before the subscription. */
export function browserSignIn<Begun extends { readonly url: string }, Grant>(
  options: BrowserSignInOptions<Begun, Grant>,
): BrowserSignIn<Grant> {
  const { state, port, path } = options
  const pasted$ = new Subject<SignInAnswer>()
  const events$ = listenForCallback({ port, path }).pipe(
    catchError((error: unknown) => {
      if (port === 0) throw error
      return concat(of({ type: 'taken' as const }), NEVER)
    }),
  )
  return {
    input: (text) => {
      pasted$.next({ parameters: readPasted(text, state), respond: () => undefined })
    },
    updates$: events$.pipe(
      connect((shared$) => followSignIn(shared$, pasted$, options)),
      takeWhile(({ step }) => step !== 'granted', true),
      catchError((error: unknown) => throwError(() => options.toFailure(error))),
    ),
  }
}

function followSignIn<Begun extends { readonly url: string }, Grant>(
  events$: Observable<ListenEvent>,
  pasted$: Observable<SignInAnswer>,
  options: BrowserSignInOptions<Begun, Grant>,
): Observable<SignInUpdate<Grant>> {
  const { isOwn = (parameters) => parameters.get('state') === options.state } = options
  return events$.pipe(
    first((event) => event.type !== 'request'),
    concatMap((event) => {
      const listens = event.type === 'listening'
      const port = listens ? event.port : options.port
      return fromAbortable((signal) => options.begin(port, signal)).pipe(map((begun) => ({ begun, listens })))
    }),
    switchMap(({ begun, listens }) =>
      concat(
        of({ step: 'open_url' as const, url: begun.url, listens }),
        merge(callbackAnswers(events$, isOwn), pasted$).pipe(
          exhaustMap((answer) => finishSignIn(begun, answer, options)),
        ),
      ),
    ),
  )
}

function finishSignIn<Begun extends { readonly url: string }, Grant>(
  begun: Begun,
  { parameters, respond }: SignInAnswer,
  { exchange, success, toFailure }: BrowserSignInOptions<Begun, Grant>,
): Observable<SignInUpdate<Grant>> {
  const granted$ = fromAbortable((signal) => exchange(begun, parameters, signal)).pipe(
    tap({
      next: () => respond({ status: 200, title: 'You are signed in', text: `${success} Close this page.` }),
      error: (error: unknown) => {
        const text = `${toFailure(error).message} Begin again in rxpi.`
        respond({ status: 502, title: 'The sign-in failed', text })
      },
    }),
    map((grant) => ({ step: 'granted' as const, grant })),
  )
  return concat(of({ step: 'finishing' as const }), granted$)
}

interface SignInAnswer {
  readonly parameters: URLSearchParams
  readonly respond: CallbackRequest['respond']
}

/** The port of the page is another program's: a person pastes the answer. */
type ListenEvent = CallbackEvent | { readonly type: 'taken' }

/**
 * Emits the first answer that is of this sign-in; others get a page that explains why not. Ends with its source.
 * @param isOwn true for the parameters of this sign-in
 */
function callbackAnswers(
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
function readPasted(text: string, state: string): URLSearchParams {
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
