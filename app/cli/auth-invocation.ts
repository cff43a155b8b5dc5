// Types of a parsed `rxpi auth` command line.
interface OfAuth<Action extends string> {
  readonly mode: 'auth'
  readonly action: Action
  readonly json: boolean
}

export interface AuthSetInvocation extends OfAuth<'set'> {
  readonly provider: string
  /** True: keeps the stored keys; false: replaces them. */
  readonly add: boolean
}

export interface AuthListInvocation extends OfAuth<'list'> {
  /** Absent: all providers. */
  readonly provider?: string
}

export interface AuthRemoveInvocation extends OfAuth<'rm'> {
  readonly provider: string
  /** Absent: all keys of the provider. */
  readonly id?: string
}

export interface AuthVerifyInvocation extends OfAuth<'verify'> {
  readonly provider: string
}

export interface AuthLoginInvocation extends OfAuth<'login'> {
  readonly provider: string
  /** Absent: the vendor's usual one. */
  readonly method?: 'browser' | 'device'
  /** Host of a company's installation. */
  readonly domain?: string
}

export interface AuthLogoutInvocation extends OfAuth<'logout'> {
  readonly provider: string
}

export type AuthInvocation =
  | AuthSetInvocation
  | AuthListInvocation
  | AuthRemoveInvocation
  | AuthVerifyInvocation
  | AuthLoginInvocation
  | AuthLogoutInvocation
