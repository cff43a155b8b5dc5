// Tests the offer of active sessions.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { Offer } from '../../../../app/ui/pickers/session-offer.tsx'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const active = {
  id: 'abcdefghij23',
  file: '/f',
  cwd: '/project',
  title: 'Fix the build',
  createdAt: 0,
  updatedAt: 0,
  size: 1,
  messages: 2,
  isLatest: true,
  live: { running: true, asking: 0 },
}

function offered() {
  const fake = fakeUi()
  const { stdin, lastFrame } = render(
    <UiContext value={fake.ui}>
      <Keyboard>
        <Offer sessions={[active]} columns={60} />
      </Keyboard>
    </UiContext>,
  )
  return { ...fake, stdin, text: () => stripVTControlCharacters(lastFrame() ?? '') }
}

describe('the offer of active sessions', () => {
  it('leaves at Ctrl-C, as its foot says', async () => {
    const { stdin, text, requests, hasLeft } = offered()
    expect(text()).toContain('Ctrl-C quits')
    stdin.write('\u0003')
    await vi.waitFor(() => expect(hasLeft()).toBe(true), 10_000)
    expect(requests).toEqual([])
  })

  it.each([
    ['Enter opens the chosen session', '\r', 'open_session'],
    ['Esc begins a new one', '\u001b', 'new_session'],
    ['n begins a new one', 'n', 'new_session'],
  ])('%s', async (_, key, type) => {
    const { stdin, requests, hasLeft } = offered()
    stdin.write(key)
    await vi.waitFor(() => expect(requests.map((command) => command.type)).toEqual([type]), 10_000)
    expect(hasLeft()).toBe(false)
  })
})
