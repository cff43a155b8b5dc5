// React hook that adds keys of extensions to the keymap; it names clashes of keys and commands once.
import { useEffect, useMemo, useRef } from 'react'
import type { ExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'
import { hiddenCommands } from '../commands/slash-commands.ts'
import { useUi } from '../hooks/use-ui.ts'
import { withExtensionKeys } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'

/** Adds the keys; names the commands, too, that the UI hides by commands of its own. */
export function useExtensionKeys(own: Keymap, { keys, commands }: Pick<ExtensionUi, 'keys' | 'commands'>): Keymap {
  const { keymap, problems } = useMemo(() => withExtensionKeys(own, keys), [own, keys])
  useNamedOnce(problems)
  useNamedOnce(useMemo(() => hiddenCommands(commands ?? []), [commands]))
  return keymap
}

/** Shows a notice for each text that the list did not have before. */
function useNamedOnce(problems: readonly string[]): void {
  const ui = useUi()
  const named = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    for (const text of problems.filter((each) => !named.current.has(each))) {
      ui.input({ type: 'notice', level: 'warning', text })
    }
    named.current = new Set(problems)
  }, [ui, problems])
}
