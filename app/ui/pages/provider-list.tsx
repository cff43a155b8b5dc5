// First step of the login: a list of all providers, the usual ones first.
import type { ReactElement } from 'react'
import { forkJoin } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { launchContext } from '../contract/ui.ts'
import { useRequest } from '../hooks/use-request.ts'
import { useUi } from '../hooks/use-ui.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import { usualProviders } from './login-state.ts'
import { accountHint, accountVendors$ } from './login-ways.tsx'
import type { AccountVendor } from './login-ways.tsx'
import { countOf } from '../../../lib/streams/values/count-of.ts'

export interface ProviderListProps {
  /** Cells. */
  readonly columns: number
  /** Lines. */
  readonly height: number
  /** `''`: a provider that is not in the list. */
  readonly onChoose: (provider: string) => void
  readonly onClose: () => void
}

export function ProviderList({ columns, height, onChoose, onClose }: ProviderListProps): ReactElement {
  const ui = useUi()
  const loaded = useRequest(
    () =>
      forkJoin({
        listed: ui.request({ type: 'list_models', ...launchContext(ui), limit: 10_000 }),
        vendors: accountVendors$(ui),
      }),
    'providers',
  )
  return (
    <LoadedPicker
      title="Log in: which provider?"
      loaded={loaded}
      rowsOf={({ listed, vendors }) => providerRows(listed.models, vendors)}
      columns={columns}
      height={height}
      empty="No provider is known"
      onCancel={onClose}
      onAccept={({ key }) => {
        onChoose(key)
      }}
    />
  )
}

type Listed = Pick<ResultOf<'list_models'>['models'][number], 'usable'> & {
  readonly model: { readonly provider: string }
}

/**
 * Every provider once: plans and usual ones first, then by name; the last row is for one of `models.json` without
 * models.
 */
export function providerRows(models: readonly Listed[], vendors: readonly AccountVendor[]): readonly PickerRow[] {
  const usable = new Set(models.flatMap(({ model, usable: isUsable }) => (isUsable ? [model.provider] : [])))
  const known = new Set(models.map(({ model }) => model.provider))
  known.delete('demo')
  const accounts = new Map(vendors.map((vendor) => [vendor.provider, vendor]))
  const first = [...new Set([...accounts.keys(), ...usualProviders])]
  for (const name of first) known.delete(name)
  const names = [...first, ...[...known].sort()]
  const counts = Map.groupBy(models, ({ model }) => model.provider)
  const rows = names.map((name) => {
    const count = counts.get(name)?.length ?? 0
    const vendor = accounts.get(name)
    const facts = [
      vendor === undefined ? '' : accountHint(vendor),
      usable.has(name) ? 'can be used now' : '',
      count === 0 ? '' : countOf(count, 'model'),
    ]
    return { key: name, label: name, hint: facts.filter((fact) => fact !== '').join(' · ') }
  })
  return [...rows, { key: '', label: 'Another provider', hint: 'type its name', isAside: true }]
}
