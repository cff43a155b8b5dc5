// A Ui whose server answers from a table, and which records its requests and outputs.
import { EMPTY, isObservable, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { userKeymap } from '../../app/ui/keys/user-keymap.ts'
import type { Ui } from '../../app/ui/contract/ui.ts'
import { failureNotice } from '../../app/ui/view/failure-notice.ts'
import type { ViewInput } from '../../app/ui/view/view-input.ts'
import { emptyView } from '../../app/ui/view/view.ts'
import type { View } from '../../app/ui/view/view.ts'
import { behavior } from '../../lib/streams/rx/behavior.ts'
import type { Command, ResultOf } from '../../lib/streams/commands/command.ts'
import { Failure } from '../../lib/streams/values/failure.ts'

export interface FakeUi {
  readonly ui: Ui
  readonly requests: Command[]
  readonly notices: ViewInput[]
  readonly opened: unknown[]
  /** Written to the terminal. */
  readonly sequences: readonly string[]
  hasLeft(): boolean
}

export interface FakeUiOptions {
  /** Default: one without a session. */
  readonly view?: View
  /** By the type of the command: its result, an Observable of it, or the Failure. Default: {}. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** The options of the command line. Default: none. */
  readonly options?: NonNullable<Ui['surroundings']['options']>
}

export function fakeUi({ view = emptyView(), answers = {}, options = {} }: FakeUiOptions = {}): FakeUi {
  const requests: Command[] = []
  const notices: ViewInput[] = []
  const opened: unknown[] = []
  const sequences: string[] = []
  let left = false
  function request<Options extends Command>(command: Options): Observable<ResultOf<Options['type']>> {
    requests.push(command)
    const answer = answers[command.type] ?? {}
    if (isObservable(answer)) return answer as Observable<ResultOf<Options['type']>> // set by the test
    return answer instanceof Failure ? throwError(() => answer) : of(answer as ResultOf<Options['type']>) // set by the test
  }
  const ui: Ui = {
    view$: behavior(view).behavior$,
    now: () => view,
    input: (input) => notices.push(input),
    request,
    surroundings: { cwd: '/project', env: { HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere' }, options },
    background: 'dark',
    keys: userKeymap({ HOME: '/nowhere' }),
    open: (opening$) => {
      opening$.subscribe({
        next: (session) => opened.push(session),
        error: (error: unknown) => notices.push(failureNotice(error)),
      })
    },
    target$: view.session === undefined ? EMPTY : of(view.session.id),
    toTerminal: (sequence) => sequences.push(sequence),
    leave: () => (left = true),
  }
  return { ui, requests, notices: notices, opened, sequences, hasLeft: () => left }
}
