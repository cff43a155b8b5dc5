// Account page: shows a sign-in, opens its page, takes a pasted answer, cancels at Esc.
import { Text } from 'ink'
import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { EMPTY, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { isLoginOver } from '../../connect/login-states.ts'
import type { Login } from '../../connect/login-states.ts'
import type { Ui } from '../contract/ui.ts'
import { useLatest } from '../hooks/use-latest.ts'
import type { Latest } from '../hooks/use-latest.ts'
import { useUi } from '../hooks/use-ui.ts'
import { useListKeys } from '../keys/use-keys.ts'
import { browserProgram, openInBrowser$ } from '../terminal/open-browser.ts'
import { span } from '../text/span.ts'
import { accountTexts, loginProblem, rowsOfText } from './account-texts.ts'
import { applyLogin, cancelLogin, copyAddress, followLogin$, sendAnswer$ } from './follow-login.ts'
import type { WantedLogin } from './follow-login.ts'
import { LoginFrame, editLoginLine } from './login-frame.tsx'
import { maskKey } from './login-state.ts'

export interface AccountScreenProps {
  readonly login: WantedLogin
  /** Cells. */
  readonly columns: number
  readonly onClose: () => void
}

interface Shown {
  readonly login?: Login
  readonly typed: string
  readonly problem?: string
  /** Grows when a sign-in begins again. */
  readonly round: number
}

export function AccountScreen(props: AccountScreenProps): ReactElement {
  const { login: wanted, columns, onClose } = props
  const ui = useUi()
  const shown = useLatest<Shown>({ typed: '', round: 0 })
  const { login, typed, problem, round } = shown.drawn
  useFollowedLogin(ui, props, round, (next) => {
    shown.put({ ...shown.now(), ...next })
  })
  useAccountKeys(ui, shown, onClose)
  const time = useSeconds(login?.expiresAt !== undefined && !isLoginOver(login))
  const opensBrowser = browserProgram(ui.surroundings.env) !== undefined
  const { lines, takesAnswer, hint } = accountTexts(login, { now: time, opensBrowser })
  return (
    <LoginFrame
      title={`Sign in: ${span(login?.title ?? ('server' in wanted ? wanted.server : wanted.provider)).text}`}
      warning={login?.terms}
      problem={problem}
      line={takesAnswer ? maskKey(typed) : undefined}
      hint={hint}
      columns={columns}
    >
      {lines
        .flatMap((line) => rowsOfText(span(line).text, columns - 1))
        .map((row, index) => (
          <Text key={index}>{row}</Text>
        ))}
    </LoginFrame>
  )
}

function useAccountKeys(ui: Ui, shown: Latest<Shown>, onClose: () => void): void {
  useListKeys((action, press) => {
    const now = shown.now()
    if (action === 'listCancel') {
      cancelLogin(ui, now.login)
      onClose()
    } else if (action === 'listAccept') accept(ui, shown)
    else if (action === 'listComplete') copyAddress(ui, now.login?.url)
    else if (now.login?.step !== 'open_url') return
    else {
      const typed = editLoginLine(now.typed, press)
      if (typed !== undefined) shown.put(withTyped(now, typed))
    }
  }, true)
}

/** Sends the pasted answer, opens the page if there is none, or begins again after a failure. */
function accept(ui: Ui, shown: Latest<Shown>): void {
  const { login, typed, problem, round } = shown.now()
  const isOver = login === undefined ? problem !== undefined : isLoginOver(login)
  if (isOver) shown.put({ typed: '', round: round + 1 })
  else if (login?.step === 'open_url') {
    shown.put(withTyped(shown.now(), ''))
    const sent$ = typed === '' ? openPage$(ui, login.url) : sendAnswer$(ui, login, typed)
    sent$.subscribe({
      error: (error: unknown) => {
        shown.put({ ...shown.now(), problem: Failure.from(error).message })
      },
    })
  }
}

/** Opens the page of the sign-in if a browser is at hand. */
function openPage$(ui: Ui, url: string | undefined): Observable<never> {
  const { env } = ui.surroundings
  return url === undefined || browserProgram(env) === undefined ? EMPTY : openInBrowser$(url, env)
}

function withTyped({ problem: _, ...shown }: Shown, typed: string): Shown {
  return { ...shown, typed }
}

/** Follows the sign-in while the page is open. A page that closes leaves it running; the next one finds it again. */
function useFollowedLogin(
  ui: Ui,
  { login: wanted, onClose }: AccountScreenProps,
  round: number,
  show: (next: Partial<Shown>) => void,
): void {
  useEffect(() => {
    const followed = followLogin$(ui, wanted).subscribe({
      next: (login) => {
        if (login.step === 'done') {
          onClose()
          applyLogin(ui, wanted, login)
          return
        }
        const problem = loginProblem(login)
        show({ login, ...(problem === undefined ? {} : { problem }) })
      },
      error: (error: unknown) => {
        show({ problem: Failure.from(error).message })
      },
    })
    return () => {
      followed.unsubscribe()
    }
  }, [round]) // a round is one sign-in
}

/** The time in milliseconds, drawn anew each second while `isRunning`. */
function useSeconds(isRunning: boolean): number {
  const [time, setTime] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return undefined
    const ticks = timer(0, 1_000).subscribe(() => {
      setTime(Date.now())
    })
    return () => {
      ticks.unsubscribe()
    }
  }, [isRunning])
  return time
}
