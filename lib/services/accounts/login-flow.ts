// Defines a sign-in as its steps, which the list of sign-ins shows to clients.
import type { Observable } from 'rxjs'
import type { SignInUpdate } from '../../host/http/browser-sign-in.ts'
import type { AccountGrant } from '../../providers/accounts/account-vendor.ts'

export type LoginUpdate =
  | SignInUpdate<AccountGrant>
  | { readonly step: 'device_code'; readonly url: string; readonly userCode: string; readonly expiresAt: number }

/** One sign-in. */
export interface LoginFlow {
  /** Emits the steps; completes after `granted`, or fails with a Failure. Unsubscribing cancels it. */
  readonly updates$: Observable<LoginUpdate>
  /** Takes what a person pasted. @throws Failure `bad_request` if it is not of this sign-in */
  readonly input: (text: string) => void
}
