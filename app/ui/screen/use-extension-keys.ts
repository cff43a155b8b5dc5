// React hook that adds the keys of extensions to the keymap, and names each clash once.
import { useEffect, useMemo, useRef } from 'react'
import type { ExtensionKey } from '../../../lib/streams/commands/extension-ui-commands.ts'
import { useUi } from '../hooks/use-ui.ts'
import { withExtensionKeys } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'

export function useExtensionKeys(own: Keymap, keys: readonly ExtensionKey[]): Keymap {
  const ui = useUi()
  const { keymap, problems } = useMemo(() => withExtensionKeys(own, keys), [own, keys])
  const named = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    for (const text of problems.filter((each) => !named.current.has(each))) {
      ui.input({ type: 'notice', level: 'warning', text })
    }
    named.current = new Set(problems)
  }, [ui, problems])
  return keymap
}
