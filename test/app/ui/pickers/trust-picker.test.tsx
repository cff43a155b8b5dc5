// Tests the question about trust of a folder: its rows, its answers, and keys that come too early.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { trustRows } from '../../../../app/ui/pickers/trust-picker.tsx'
import { Overlays } from '../../../../app/ui/screen/overlays.tsx'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { throwError } from 'rxjs'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const digest = 'd'.repeat(64)
const files = [{ path: '.rxpi/settings.json', bytes: 41, digest: 'f'.repeat(64) }]
const folder = { folder: '/project', trusted: false, state: 'untrusted' as const, files, digest }
const [enter, down] = ['\r', '\u001b[B']

function shown(answer: unknown) {
  const overlay = { name: 'picker', picker: 'trust' } as const
  const { ui, requests, notices } = fakeUi({ view: { ...emptyView(), overlay }, answers: { trust_folder: answer } })
  const drawn = render(
    <UiContext value={ui}>
      <Keyboard>
        <Overlays view={ui.now()} columns={120} rows={12} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  const press = async (key: string): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    drawn.stdin.write(key)
  }
  return { requests, notices, text, press }
}

describe('the question about trust', () => {
  it('shows each command that would run, with its event', () => {
    const hooks = [{ event: 'PreToolUse', matcher: 'Bash', command: './check.sh' }]
    const rows = trustRows({ ...folder, hooks })
    expect(rows.find(({ key }) => key === 'hook 0')).toMatchObject({
      label: 'runs ./check.sh',
      second: 'PreToolUse Bash',
    })
  })

  it('shows each MCP server that would run or be reached, with the names of what it gets [S2d]', () => {
    const mcpServers = [
      { name: 'files', command: 'npx', args: ['-y', 'a b'], env: ['TOKEN', 'HOME'] },
      { name: 'remote', url: 'https://mcp.example', headers: ['Authorization'] },
    ]
    const rows = trustRows({ ...folder, mcpServers }).filter(({ key }) => key.startsWith('server '))
    expect(rows.map(({ label, second }) => [label, second])).toEqual([
      ['starts npx -y "a b" · TOKEN, HOME', 'MCP server files'],
      ['connects to https://mcp.example · Authorization', 'MCP server remote'],
    ])
  })

  it('has the harmless answer first, the digest of all files, and each file with its own [S3a]', () => {
    expect(trustRows(folder).map(({ key, hint }) => [key, hint])).toEqual([
      ['later', undefined],
      ['trust', `SHA-256 ${digest}`],
      ['never', undefined],
      ['file .rxpi/settings.json', 'f'.repeat(64)],
    ])
  })

  it.each([
    ['trusted', { state: 'trusted' as const, trusted: true }, ['later', 'never', 'forget']],
    ['changed', { state: 'changed' as const }, ['later', 'trust', 'never']],
    ['never', { state: 'never' as const }, ['later', 'trust', 'forget']],
  ])('offers what changes something: %s', (_, state, keys) => {
    expect(trustRows({ ...folder, ...state }).map(({ key }) => key).slice(0, 3)).toEqual(keys) // prettier-ignore
  })

  it('cannot trust what cannot be read, and says why [S3a]', () => {
    const { digest: _, ...without } = folder
    const rows = trustRows({ ...without, files: [], problem: 'because of .rxpi/pipe' })
    expect(rows.map(({ key }) => key)).toEqual(['later', 'never', 'problem'])
  })

  it('sends the digest that was shown, and closes [S3a]', async () => {
    const { requests, notices, text, press } = shown(folder)
    await vi.waitFor(() => expect(text()).toContain('› Not now'), 10_000)
    expect(text()).toContain('.rxpi/settings.json')
    await new Promise((resolve) => setTimeout(resolve, 350))
    await press(down)
    await vi.waitFor(() => expect(text()).toContain('› Trust exactly this content (1 file)'), 10_000)
    await press(enter)
    await vi.waitFor(() => expect(notices).toContainEqual({ type: 'overlay' }), 10_000)
    expect(requests.at(-1)).toMatchObject({ type: 'trust_folder', cwd: '/project', answer: 'trust', digest })
  })

  it('is not answered by keys of the first 300 ms [S20c]', async () => {
    const { requests, notices, text, press } = shown(folder)
    await vi.waitFor(() => expect(text()).toContain('› Not now'), 10_000)
    await press(down)
    await press(enter)
    await press(enter)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([requests.length, notices]).toEqual([1, []])
  })

  it('shows why it cannot tell', async () => {
    const { text } = shown(throwError(() => new Failure('bad_config', 'trust.json is not valid')))
    await vi.waitFor(() => expect(text()).toContain('trust.json is not valid'), 10_000)
  })
})
