// Login page: chooses account or key; reads a key without echo, verifies it and stores it.
import { useEffect, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { Subscription, map, of, switchMap } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { notify } from '../commands/ask-server.ts'
import { useUi } from '../hooks/use-ui.ts'
import { useListKeys } from '../keys/use-keys.ts'
import { launchContext } from '../contract/ui.ts'
import { span } from '../text/span.ts'
import type { Ui } from '../contract/ui.ts'
import { AccountScreen } from './account-screen.tsx'
import { adoptModel } from './adopt-model.ts'
import { LoginFrame, editLoginLine } from './login-frame.tsx'
import { LoginWays } from './login-ways.tsx'
import type { LoginWay } from './login-ways.tsx'
import { ProviderList } from './provider-list.tsx'
import { afterVerify, loginStart, maskKey, matchingProviders } from './login-state.ts'
import type { LoginState } from './login-state.ts'

export interface LoginScreenProps {
  /** Provider from the command. */
  readonly provider?: string | undefined
  /** Cells. */
  readonly columns: number
  /** Maximum of rows. */
  readonly height: number
  readonly onClose: () => void
}

/** Without a provider, a list of all providers comes first; then the ways, if the provider has accounts. */
export function LoginScreen({ provider: text, columns, height, onClose }: LoginScreenProps): ReactElement {
  const [named, domain] = text?.trim().split(/\s+/) ?? []
  const [provider, choose] = useState(named)
  const [way, setWay] = useState<LoginWay>()
  const size = { columns, height, onClose }
  if (provider === undefined) return <ProviderList {...size} onChoose={choose} />
  if (provider === '' || way === 'key') return <KeyScreen provider={provider} columns={columns} onClose={onClose} />
  if (way === undefined) return <LoginWays provider={provider} {...size} onChoose={setWay} />
  return <AccountScreen login={{ provider, method: way, domain }} columns={columns} onClose={onClose} />
}

function KeyScreen({ provider, columns, onClose }: Omit<LoginScreenProps, 'height'>): ReactElement {
  const ui = useUi()
  const latest = useRef(loginStart(provider))
  const [state, setState] = useState(latest.current)
  const show = (next: LoginState): void => {
    latest.current = next
    setState(next)
  }
  const asking = useRef(Subscription.EMPTY)
  // closing the page cancels the request
  useEffect(() => () => asking.current.unsubscribe(), [])
  useListKeys((action, press) => {
    const now = latest.current
    if (action === 'listCancel') {
      asking.current.unsubscribe()
      onClose()
    } else if (action === 'listAccept') asking.current = accept(ui, now, show, onClose) ?? asking.current
    else if (now.step !== 'provider' && now.step !== 'key') return
    else if (action === 'listComplete' && now.step === 'provider')
      show(withTyped(now, matchingProviders(now.typed)[0] ?? now.typed))
    else {
      const typed = editLoginLine(now.typed, press)
      if (typed !== undefined) show(withTyped(now, typed))
    }
  }, true)
  return <LoginFrame {...textsOf(state)} columns={columns} />
}

function withTyped(
  { problem: _, ...state }: Extract<LoginState, { typed: string }>,
  typed: string,
): Extract<LoginState, { typed: string }> {
  return { ...state, typed }
}

interface Texts {
  readonly title: string
  readonly line?: string
  readonly hint: string
  readonly problem?: string | undefined
}

function textsOf(state: LoginState): Texts {
  switch (state.step) {
    case 'provider': {
      const names = matchingProviders(state.typed).join(', ')
      const hint = `${names === '' ? 'Any other provider' : names} · Tab completes · Enter continues · Esc closes`
      return { title: 'Log in: which provider?', line: state.typed, hint, problem: state.problem }
    }
    case 'key':
      return {
        title: `Log in: the key of ${span(state.provider).text}`,
        line: maskKey(state.typed),
        hint: 'The key is hidden and sent to the server only · Enter verifies and stores it · Esc closes',
        problem: state.problem,
      }
    case 'busy':
      return { title: `Log in: ${span(state.provider).text}`, hint: `${state.doing} … · Esc cancels` }
    case 'unsure':
      return {
        title: `Log in: ${span(state.provider).text}`,
        hint: 'Enter stores the key anyway · Esc stores nothing',
        problem: state.message,
      }
  }
}

/** Sends the request of the current step; undefined if there is none. */
function accept(
  ui: Ui,
  state: LoginState,
  show: (next: LoginState) => void,
  close: () => void,
): Subscription | undefined {
  switch (state.step) {
    case 'provider': {
      const provider = state.typed.trim()
      return provider === '' ? undefined : checkProvider(ui, provider, show)
    }
    case 'key': {
      const { provider, typed: key } = state
      return key === '' ? undefined : store(ui, { provider, key, isTried: false }, show, close)
    }
    case 'unsure':
      return store(ui, { provider: state.provider, key: state.key, isTried: true }, show, close)
    case 'busy':
      return undefined
  }
}

/** Rejects an unknown provider before the user types a key; a unique beginning of a usual name is enough. */
function checkProvider(ui: Ui, provider: string, show: (next: LoginState) => void): Subscription {
  show({ step: 'busy', provider, doing: 'Checking the provider' })
  return ui.request({ type: 'auth_list', ...launchContext(ui), provider }).subscribe({
    next: () => {
      show({ step: 'key', provider, typed: '' })
    },
    error: (error: unknown) => {
      const [match, ...others] = matchingProviders(provider)
      if (match !== undefined && others.length === 0) show({ step: 'key', provider: match, typed: '' })
      else show({ step: 'provider', typed: provider, problem: Failure.from(error).message })
    },
  })
}

interface TypedKey {
  readonly provider: string
  readonly key: string
  /** The key was verified without a clear result, and the user wants to store it. */
  readonly isTried: boolean
}

function store(
  ui: Ui,
  { provider, key, isTried }: TypedKey,
  show: (next: LoginState) => void,
  close: () => void,
): Subscription {
  show({ step: 'busy', provider, doing: isTried ? 'Storing the key' : 'Verifying the key' })
  const tried$ = isTried
    ? of(undefined)
    : ui
        .request({ type: 'auth_verify', ...launchContext(ui), provider, key })
        .pipe(map((answer) => afterVerify(answer, { provider, key })))
  const result$ = tried$.pipe(
    switchMap((next) =>
      next === undefined ? ui.request({ type: 'auth_set', ...launchContext(ui), provider, key }) : of(next),
    ),
  )
  return result$.subscribe({
    next: (result) => {
      if ('step' in result) {
        show(result)
        return
      }
      close()
      applyStoredKey(ui, provider, result)
    },
    error: (error: unknown) => {
      show({ step: 'key', provider, typed: '', problem: Failure.from(error).message })
    },
  })
}

/** Reports where the key is stored and what it is for; a session without a model of its own uses it at once. */
function applyStoredKey(ui: Ui, provider: string, result: ResultOf<'auth_set'>): void {
  const { kept: storage, origin, notices } = result
  const where = storage === 'keychain' ? 'the keychain' : 'a private file'
  const then = adoptModel(ui, result) ?? '/model chooses a model'
  notify(ui, `The key of ${provider} is stored in ${where}, for ${origin}; ${then}`, 'success')
  for (const { message } of notices) notify(ui, message, 'warning')
}
