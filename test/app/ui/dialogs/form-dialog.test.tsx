// Tests the form of a server on the screen: one field after the other, what does not fit, and the answer.
import { stripVTControlCharacters } from 'node:util'
import { afterEach, expect, it, vi } from 'vitest'
import type { Picked } from '../../../../app/ui/dialogs/choices.ts'
import { FormDialog } from '../../../../app/ui/dialogs/form-dialog.tsx'
import type { FormDialogProps } from '../../../../app/ui/dialogs/form-dialog.tsx'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { settleMs } from '../../../../app/ui/keys/use-settled-keys.ts'
import { fakeUi } from '../../../support/fake-ui.ts'
import { cleanup, render } from '../../../support/ink-screen.ts'

afterEach(cleanup)

function form(properties: object, required: readonly string[]) {
  const question = {
    ...{ type: 'question', kind: 'form', requestId: 'r1', source: 'mcp:notes', text: 'Where should the note go?' },
    ...{ choices: ['accept', 'decline', 'cancel'], default: { choice: 'cancel' } },
    schema: { type: 'object', properties, required },
  } as FormDialogProps['question']
  const picks: Picked[] = []
  const drawn = render(
    <UiContext value={fakeUi().ui}>
      <Keyboard>
        <FormDialog question={question} columns={70} height={16} onPick={(picked) => picks.push(picked)} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  return {
    picks,
    text,
    /** Types once the shown step takes keys. */
    type: async (shown: string, ...keys: readonly string[]) => {
      await vi.waitFor(() => expect(text()).toContain(shown), { timeout: 10_000 })
      await new Promise((resolve) => setTimeout(resolve, settleMs + 50)) // keys that come too early are ignored
      for (const key of keys) drawn.stdin.write(key)
    },
  }
}

it('asks for each field, says what does not fit, and answers with the values', async () => {
  const { picks, text, type } = form(
    {
      title: { type: 'string', title: 'Title of the note' },
      copies: { type: 'integer', title: 'Copies' },
      folder: { type: 'string', enum: ['inbox', 'archive'], title: 'Folder' },
    },
    ['title'],
  )
  await vi.waitFor(() => expect(text()).toContain('Where should the note go?'), { timeout: 10_000 })
  expect(text()).toContain('notes')
  await type('Where should the note go?', 'y')
  await type('1 of 3', '\r')
  await type('this field needs a value', 'Today', '\r')
  await type('2 of 3', 'many', '\r')
  await type('this field takes a whole number', '2', '\r')
  await type('3 of 3', '\r')
  await vi.waitFor(() => expect(picks).toHaveLength(1), { timeout: 10_000 })
  expect(picks[0]).toMatchObject({
    type: 'answer',
    outcome: { choice: 'accept', values: { title: 'Today', copies: 2 } },
  })
})

it('a person who declines answers with no value', async () => {
  const { picks, type } = form({ title: { type: 'string' } }, [])
  await type('Where should the note go?', 'n')
  await vi.waitFor(() => expect(picks).toHaveLength(1), { timeout: 10_000 })
  expect(picks[0]).toMatchObject({ type: 'answer', outcome: { choice: 'decline' } })
})
