// Tests that clashes of extensions with the keys and commands of the UI are named once.
import { createElement } from 'react'
import type { ReactElement } from 'react'
import { afterEach, expect, it } from 'vitest'
import type { Ui } from '../../../../app/ui/contract/ui.ts'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { makeKeymap } from '../../../../app/ui/keys/keymap.ts'
import { useExtensionKeys } from '../../../../app/ui/screen/use-extension-keys.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import type { ExtensionUi } from '../../../../lib/streams/commands/extension-ui-commands.ts'
import { cleanup, render } from '../../../support/ink-screen.ts'

afterEach(cleanup)

const own = makeKeymap()

function Keys(extensions: Pick<ExtensionUi, 'keys' | 'commands'>): ReactElement {
  useExtensionKeys(own, extensions)
  return <></>
}

it('names each key and command that is not used, and none again', async () => {
  const texts: string[] = []
  const ui = { input: (input: ViewInput) => texts.push('text' in input ? input.text : '') } as unknown as Ui
  const screen = (extensions: Pick<ExtensionUi, 'keys' | 'commands'>): ReactElement =>
    createElement(UiContext, { value: ui }, createElement(Keys, extensions))
  const plan = { extension: 'x', name: 'plan' }
  const keys = [{ extension: 'x', key: 'ctrl+g', command: 'plan', description: '' }]
  const { rerender } = render(screen({ keys: [] }))
  rerender(screen({ keys, commands: [plan] }))
  await expect.poll(() => texts.length, { timeout: 10_000 }).toBe(2)
  rerender(screen({ keys, commands: [plan, { extension: 'x', name: 'undo' }] }))
  await expect.poll(() => texts.length, { timeout: 10_000 }).toBe(3)
  expect(texts).toEqual([
    'ctrl+g of the extension x is not used: it runs externalEditor',
    '/plan of the extension x is not used: it is a command of this UI',
    '/undo of the extension x is not used: it is a command of this UI',
  ])
})
