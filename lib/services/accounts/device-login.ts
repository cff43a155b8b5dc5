// Signs in with a code on any device: shows it, then asks the vendor until the person has agreed.
import {
  asyncScheduler,
  catchError,
  concat,
  defer,
  expand,
  filter,
  map,
  mergeMap,
  of,
  take,
  throwError,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { pollDevice, startDevice } from '../../providers/accounts/device-grant.ts'
import type { DeviceGrant, DevicePoll } from '../../providers/accounts/device-grant.ts'
import { grantAccount } from '../../providers/accounts/grant-account.ts'
import type { TokenResponse } from '../../providers/accounts/oauth-exchange.ts'
import type { VendorAccess } from '../../providers/accounts/vendor-fetch.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { LoginFlow, LoginUpdate } from './login-flow.ts'

/** Seconds that `slow_down` adds if it names none. */
const slowDownS = 5
/** The longest code that is waited for. */
const longestS = 1_800
/** Polls without an answer in a row that are borne. */
const maxOutages = 10

export function deviceLogin(access: VendorAccess): LoginFlow {
  const { title } = access.vendor
  return {
    input: () => {
      throw new Failure('bad_request', `The sign-in of ${title} takes its code at the vendor's page, not here.`)
    },
    updates$: fromAbortable((signal) => startDevice(access, signal)).pipe(
      mergeMap((grant) => {
        const expiresAt = asyncScheduler.now() + Math.min(grant.expiresInS, longestS) * 1_000
        const shown: LoginUpdate = { step: 'device_code', url: grant.url, userCode: grant.userCode, expiresAt }
        const granted$ = pollUntilGranted(access, grant, expiresAt).pipe(
          mergeMap((tokens) =>
            concat(
              of<LoginUpdate>({ step: 'finishing' }),
              fromAbortable((signal) => grantAccount(access, tokens, signal)).pipe(
                map((account): LoginUpdate => ({ step: 'granted', grant: account })),
              ),
            ),
          ),
        )
        return concat(of(shown), granted$)
      }),
    ),
  }
}

interface PollState {
  readonly intervalS: number
  readonly outages: number
  readonly tokens?: TokenResponse
}

/** Emits the tokens once; fails when the code has expired. A poll that is cut is repeated. */
function pollUntilGranted(access: VendorAccess, grant: DeviceGrant, expiresAt: number): Observable<TokenResponse> {
  const first: PollState = { intervalS: grant.intervalS, outages: 0 }
  return of(first).pipe(
    expand((state) => (state.tokens === undefined ? nextPoll(access, { grant, state, expiresAt }) : [])),
    map(({ tokens }) => tokens),
    filter((tokens) => tokens !== undefined),
    take(1),
  )
}

interface Polling {
  readonly grant: DeviceGrant
  readonly state: PollState
  readonly expiresAt: number
}

function nextPoll(access: VendorAccess, { grant, state, expiresAt }: Polling): Observable<PollState> {
  return timer(state.intervalS * 1_000).pipe(
    mergeMap(() =>
      defer(() => {
        if (asyncScheduler.now() >= expiresAt) throw expiredFailure(access)
        return fromAbortable((signal) => pollDevice(access, grant, signal))
      }),
    ),
    map((poll) => afterPoll(poll, state)),
    catchError((error: unknown) => {
      const isOutage = Failure.from(error).data.kind === 'network' && state.outages < maxOutages
      return isOutage
        ? of({ ...state, outages: state.outages + 1 })
        : throwError(() => Failure.from(error, 'provider_error'))
    }),
  )
}

function afterPoll(poll: DevicePoll, { intervalS }: PollState): PollState {
  switch (poll.status) {
    case 'granted':
      return { intervalS, outages: 0, tokens: poll.tokens }
    case 'pending':
      return { intervalS, outages: 0 }
    case 'slow_down':
      return { intervalS: poll.intervalS ?? intervalS + slowDownS, outages: 0 }
  }
}

function expiredFailure({ vendor }: VendorAccess): Failure {
  return new Failure('provider_error', `${vendor.title}: the code has expired; start again.`, {
    data: { kind: 'auth' },
  })
}
