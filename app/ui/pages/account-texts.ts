// Words a sign-in for the account page: its address, code, time left and keys.
import type { Login } from '../../connect/login-states.ts'
import { duration } from '../text/duration.ts'

export interface AccountTexts {
  readonly lines: readonly string[]
  /** A person may paste the answer. */
  readonly takesAnswer: boolean
  readonly hint: string
}

export interface AccountMoment {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Enter opens the page in a browser of this machine. */
  readonly opensBrowser: boolean
}

export function accountTexts(login: Login | undefined, { now, opensBrowser }: AccountMoment): AccountTexts {
  const { step = 'starting', url = '', userCode = '', listens, expiresAt } = login ?? {}
  const left = expiresAt === undefined ? '' : ` · ${timeLeft(expiresAt - now)} left`
  switch (step) {
    case 'open_url': {
      const taken = 'Another program has the port of the answer: the last page will not load.'
      return {
        lines: ['Open this address in a browser:', url, ...(listens === false ? [taken] : [])],
        takesAnswer: true,
        hint: `${opensBrowser ? 'Enter opens it here · ' : ''}In a browser elsewhere: paste the address of its last page, then Enter · Tab copies · Esc cancels${left}`,
      }
    }
    case 'device_code':
      return {
        lines: [`Open ${url}`, `and type the code  ${userCode}`],
        takesAnswer: false,
        hint: `Waiting for you to agree there · Tab copies the address · Esc cancels${left}`,
      }
    case 'finishing':
      return { lines: [], takesAnswer: false, hint: 'You are signed in there; getting the tokens … · Esc cancels' }
    case 'failed':
    case 'cancelled':
      return { lines: [], takesAnswer: false, hint: 'Enter begins again · Esc closes' }
    default:
      return { lines: [], takesAnswer: false, hint: 'Asking where to sign in … · Esc cancels' }
  }
}

function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1_000)
}

/** Why a sign-in is over without an account. */
export function loginProblem({ step, failure }: Login): string | undefined {
  if (step === 'cancelled') return 'The sign-in was cancelled; nothing was stored'
  return step === 'failed' ? (failure?.message ?? 'The sign-in failed') : undefined
}

/** A text in rows of so many cells; addresses have no spaces to break at. */
export function rowsOfText(text: string, columns: number): readonly string[] {
  const width = Math.max(1, columns)
  return Array.from({ length: Math.max(1, Math.ceil(text.length / width)) }, (_, row) =>
    text.slice(row * width, (row + 1) * width),
  )
}
