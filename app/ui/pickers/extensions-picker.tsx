// Picker of extensions: their trust; Enter shows the decisions about one of them.
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { ExtensionRow } from '../../../lib/streams/commands/extension-commands.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { askServer, notify } from '../commands/ask-server.ts'
import { useRequest } from '../hooks/use-request.ts'
import { useSettled } from '../keys/use-settled-keys.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import { usePickerActions } from './use-picker-actions.ts'
import type { PickerFrame } from './use-picker-actions.ts'

type List = ResultOf<'extension_list'>

export function ExtensionsPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, close } = usePickerActions()
  const [changes, setChanges] = useState(0)
  const [chosen, setChosen] = useState<ExtensionRow>()
  const { cwd: own, env } = ui.surroundings
  const surroundings = { cwd: view.session?.cwd ?? own, env: { ...env } }
  const loaded = useRequest(
    () => ui.request({ type: 'extension_list', ...surroundings }),
    `${surroundings.cwd} ${changes}`,
  )
  const hasSettled = useSettled(chosen)
  const done = ({ extensions }: { readonly extensions: readonly ExtensionRow[] }): void => {
    for (const { name, state } of extensions) notify(ui, `${name} is ${state}`)
    setChosen(undefined)
    setChanges((count) => count + 1)
  }
  const decide = (row: ExtensionRow, key: string): void => {
    const command = decisionCommand(row, key)
    if (command === undefined) setChosen(undefined)
    else askServer(ui, { ...command, ...surroundings }, done)
  }
  return (
    <LoadedPicker
      key={chosen?.id ?? 'list'}
      title={chosen === undefined ? 'Extensions' : `${chosen.name} is ${chosen.state}`}
      loaded={loaded}
      rowsOf={(list) => (chosen === undefined ? extensionRows(list) : decisionRows(chosen))}
      columns={columns}
      height={height}
      query={chosen === undefined ? (argument ?? '') : ''}
      keepsOrder
      empty="There are no extensions here; docs/extensions.md says where they live"
      foot={
        chosen === undefined
          ? 'Enter decide · ● trusted, ◐ acknowledged, ○ pending, ✗ killed'
          : 'An extension runs with your rights: read it first'
      }
      onCancel={() => {
        if (chosen === undefined) close()
        else setChosen(undefined)
      }}
      onAccept={({ key }) => {
        if (chosen !== undefined && hasSettled()) decide(chosen, key)
        else if (chosen === undefined && loaded.state === 'loaded')
          setChosen(loaded.value.extensions.find(({ id }) => id === key))
      }}
    />
  )
}

/** The command of a decision; undefined for `back`. */
function decisionCommand({ id: extension, digest }: ExtensionRow, key: string) {
  switch (key) {
    case 'kill':
      return { type: 'extension_kill' as const, extension }
    case 'pending':
      return { type: 'extension_trust' as const, extension, answer: 'pending' as const }
    case 'trust':
    case 'acknowledge':
      return { type: 'extension_trust' as const, extension, answer: key, digest } as const
    default:
      return undefined
  }
}

const marks = { pending: '○', acknowledged: '◐', trusted: '●', killed: '✗' } as const

/** The extensions, then what is no usable one. */
export function extensionRows({ extensions, problems }: List): readonly PickerRow[] {
  return [
    ...extensions.map(({ id, name, state, origin, root, changed = false, dev = false }) => ({
      key: id,
      label: name,
      mark: marks[state],
      second: changed && !dev ? `${state}: changed since you decided` : state,
      hint: `${origin} · ${root}`,
      isAside: state === 'pending' || state === 'killed',
    })),
    ...problems.map(({ path, message }) => ({
      key: `problem ${path}`,
      label: `${path}: ${message}`,
      mark: '!',
      isAside: true,
    })),
  ]
}

/** The decisions about one extension, the harmless one first. */
export function decisionRows({ state, digest, root, changed = false }: ExtensionRow): readonly PickerRow[] {
  const isFor = (wanted: ExtensionRow['state']): boolean => state !== wanted || changed
  return [
    { key: 'back', label: 'Leave it so', hint: root },
    ...(isFor('trusted') ? [{ key: 'trust', label: 'Trust exactly this content', hint: `SHA-256 ${digest}` }] : []),
    ...(isFor('acknowledged')
      ? [{ key: 'acknowledge', label: 'Run it, and write down each use of a capability', hint: `SHA-256 ${digest}` }]
      : []),
    ...(state === 'killed' ? [] : [{ key: 'kill', label: 'Kill it: end it in every session, now' }]),
    ...(state === 'pending' ? [] : [{ key: 'pending', label: 'Forget the decision' }]),
  ]
}
