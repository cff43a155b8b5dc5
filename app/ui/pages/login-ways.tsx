// Second step of the login: with an account or with a key, for a provider that has both.
import { useLayoutEffect } from 'react'
import type { ReactElement } from 'react'
import { catchError, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { useRequest } from '../hooks/use-request.ts'
import { useUi } from '../hooks/use-ui.ts'
import type { Ui } from '../contract/ui.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'

/** A vendor to whose plan a person can sign in. */
export type AccountVendor = ResultOf<'auth_accounts'>['vendors'][number]

/** How a person logs in to a provider. */
export type LoginWay = AccountVendor['methods'][number] | 'key'

export interface LoginWaysProps {
  readonly provider: string
  /** Cells. */
  readonly columns: number
  /** Lines. */
  readonly height: number
  readonly onChoose: (way: LoginWay) => void
  readonly onClose: () => void
}

export function LoginWays({ provider, columns, height, onChoose, onClose }: LoginWaysProps): ReactElement {
  const ui = useUi()
  const loaded = useRequest(() => accountVendors$(ui), 'ways')
  const rowsOf = (vendors: readonly AccountVendor[]): readonly PickerRow[] =>
    wayRows(vendors.find((vendor) => vendor.provider === provider))
  const choose = ({ key }: PickerRow): void => {
    if (key === 'key' || key === 'browser' || key === 'device') onChoose(key)
  }
  const [only, ...others] = loaded.state === 'loaded' ? rowsOf(loaded.value) : []
  useLayoutEffect(() => {
    if (only !== undefined && others.length === 0) choose(only)
  }, [loaded.state])
  return (
    <LoadedPicker
      title={`Log in: ${provider}`}
      loaded={loaded}
      rowsOf={rowsOf}
      columns={columns}
      height={height}
      keepsOrder
      empty="There is no way to log in"
      onCancel={onClose}
      onAccept={choose}
    />
  )
}

/** Emits the vendors once; none if the server is of an earlier version. */
export function accountVendors$(ui: Pick<Ui, 'request'>): Observable<readonly AccountVendor[]> {
  return ui.request({ type: 'auth_accounts' }).pipe(
    map(({ vendors }) => vendors),
    catchError(() => of([])),
  )
}

const methodTexts = {
  browser: { label: 'Sign in with a browser', hint: 'on this machine, or paste its last address' },
  device: { label: 'Sign in with a code', hint: 'typed in a browser on any device' },
} as const

/** The ways of a vendor; only the key for a provider without accounts. */
export function wayRows(vendor: AccountVendor | undefined): readonly PickerRow[] {
  const ways = (vendor?.methods ?? []).map((method) => ({ key: method, ...methodTexts[method] }))
  const key = { key: 'key', label: 'Store a key', hint: 'of the vendor’s API' }
  return vendor?.onlyAccount === true ? ways : [...ways, key]
}

/** Describes an account in the list of providers. */
export function accountHint({ account, title }: AccountVendor): string {
  if (account === undefined) return title
  return account.isSignedOut === true ? `${title}, signed out by the vendor` : `${title}, signed in`
}
