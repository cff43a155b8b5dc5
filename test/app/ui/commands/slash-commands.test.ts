// Tests the table of slash commands and their execution.
// Over 250 lines: one table of all slash commands.
import { describe, expect, it } from 'vitest'
import { offeredCommands, runSlashCommand, slashCommands } from '../../../../app/ui/commands/slash-commands.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import type { Command } from '../../../../lib/streams/commands/command.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'
import type { FakeUiOptions } from '../../../support/fake-ui.ts'

const shown: View = { ...emptyView(), session: { id: 'abcdefghij23', cwd: '/project', title: '' } }

function running(options: FakeUiOptions = {}) {
  const fake = fakeUi({ view: shown, ...options })
  const run = (line: string) => {
    const [name = '', ...rest] = line.split(' ')
    return runSlashCommand(fake.ui, name, rest.join(' '))
  }
  return { ...fake, run }
}

const session = 'abcdefghij23'
const workspace = { cwd: '/project', env: { HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere' } }

describe('the table of slash commands', () => {
  it('has no name twice', () => {
    const names = slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(names.filter((name) => !/^[a-z][a-z-]*$/.test(name))).toEqual([])
  })

  it('contains every command that this version supports', () => {
    const names = slashCommands.map(({ name }) => name)
    const wanted =
      'help login diff model thinking tools new resume tree compact branch undo name export stats settings theme reload quit'
    expect(wanted.split(' ').filter((name) => !names.includes(name))).toEqual([])
  })

  it('offers no session commands without a session', () => {
    const names = offeredCommands(emptyView()).map(({ name }) => name)
    expect(names).not.toContain('undo')
    expect(names).toContain('login')
  })
})

describe('runSlashCommand', () => {
  it.each<readonly [string, readonly Command[]]>([
    ['model openai/gpt-5', [{ type: 'set_model', session, model: 'openai/gpt-5' }]],
    ['model @plan', [{ type: 'set_model', session, model: '@plan' }]],
    ['thinking high', [{ type: 'set_thinking_level', session, thinkingLevel: 'high' }]],
    ['compact', [{ type: 'compact', session }]],
    ['compact the tests', [{ type: 'compact', session, focus: 'the tests' }]],
    ['tools read, bash', [{ type: 'set_active_tools', session, tools: ['read', 'bash'] }]],
    ['name  A title ', [{ type: 'rename_session', session, title: 'A title' }]],
    ['new', [{ type: 'new_session', ...workspace, offerDemo: true, leaving: session }]],
    ['clear', [{ type: 'new_session', ...workspace, offerDemo: true, leaving: session }]],
    [
      'undo',
      [
        { type: 'undo', session, dryRun: true },
        { type: 'undo', session },
      ],
    ],
    [
      'undo force',
      [
        { type: 'undo', session, dryRun: true },
        { type: 'undo', session, force: true },
      ],
    ],
    ['export', [{ type: 'export_session', session, format: 'html', to: '/project/rxpi-abcdefghij23.html' }]],
    [
      'export --force',
      [{ type: 'export_session', session, format: 'html', to: '/project/rxpi-abcdefghij23.html', overwrite: true }],
    ],
    [
      'export a b.md --force',
      [{ type: 'export_session', session, format: 'markdown', to: '/project/a b.md', overwrite: true }],
    ],
    ['export out/a.md', [{ type: 'export_session', session, format: 'markdown', to: '/project/out/a.md' }]],
    ['export /tmp/a.jsonl', [{ type: 'export_session', session, format: 'pi', to: '/tmp/a.jsonl' }]],
  ])('/%s sends its request to the server', (line, commands) => {
    const { run, requests } = running()
    expect(run(line)).toBe(true)
    expect(requests).toEqual(commands)
  })

  it.each<readonly [string, Command]>([
    ['settings', { type: 'config_list', ...workspace }],
    ['settings model', { type: 'config_get', ...workspace, key: 'model' }],
    ['settings model openai/x', { type: 'config_set', ...workspace, key: 'model', value: 'openai/x' }],
    ['settings limits.turns 5', { type: 'config_set', ...workspace, key: 'limits.turns', value: 5 }],
    ['settings tools null', { type: 'config_set', ...workspace, key: 'tools', value: null }],
  ])('/%s shows or changes a setting', (line, command) => {
    const setting = { key: 'model', takes: 'a name', value: 'openai/x', from: 'file' }
    const answer = { file: '/config/settings.json', settings: [setting], setting }
    const { run, requests, notices } = running({
      answers: { config_list: answer, config_get: answer, config_set: answer },
    })
    run(line)
    expect(requests).toEqual([command])
    expect(JSON.stringify(notices)).toContain('openai/x')
  })

  it.each<readonly [string, View['overlay']]>([
    ['help', { name: 'help' }],
    ['login', { name: 'login' }],
    ['login openai', { name: 'login', provider: 'openai' }],
    ['model', { name: 'picker', picker: 'models' }],
    ['model gpt', { name: 'picker', picker: 'models', argument: 'gpt' }],
    ['thinking', { name: 'picker', picker: 'thinking' }],
    ['tools', { name: 'picker', picker: 'tools' }],
    ['resume', { name: 'picker', picker: 'sessions' }],
    ['tree', { name: 'picker', picker: 'tree' }],
  ])('/%s opens its page or picker', (line, overlay) => {
    const { run, notices, requests } = running()
    expect(run(line)).toBe(true)
    expect([notices, requests]).toEqual([[{ type: 'overlay', overlay }], []])
  })

  it.each([
    ['nothing', 'There is no command /nothing; /help lists all commands'],
    ['modle', 'There is no command /modle. Did you mean /model?'],
    ['resme', 'There is no command /resme. Did you mean /resume?'],
    ['compakt', 'There is no command /compakt. Did you mean /compact?'],
    ['fork', 'There is no command /fork; /branch: continue from here in a new session'],
    ['usage', 'There is no command /usage; /stats: show what this session has done and cost'],
    ['constructor', 'There is no command /constructor; /help lists all commands'],
    ['help me', '/help takes no argument'],
  ])('leaves /%s in the editor and shows the reason', (line, text) => {
    const { run, notices, requests } = running()
    expect(run(line)).toBe(false)
    expect(notices).toEqual([expect.objectContaining({ type: 'notice', level: 'warning', text })])
    expect(requests).toEqual([])
  })

  it.each([
    ['theme blue', 'Unknown theme "blue"; use dark, light or auto'],
    ['thinking hard', 'Unknown thinking level "hard"; use one of off, minimal, low, medium, high, xhigh'],
    ['undo all', '/undo takes no argument, or force, which overwrites later changes by others'],
    ['export a.doc', 'The format of a.doc is unknown: use a name that ends with .html, .md or .jsonl'],
  ])('shows what is wrong with /%s', (line, text) => {
    const { run, notices, requests } = running()
    run(line)
    expect(notices).toEqual([expect.objectContaining({ level: 'warning', text })])
    expect(requests).toEqual([])
  })

  it.each([
    ['theme light', { key: 'theme', value: 'light' }],
    ['theme auto', { key: 'theme', value: 'auto' }],
    ['theme', { key: 'theme', value: 'light' }], // toggles to the other theme
    ['settings notifications off', { key: 'notifications', value: 'off' }],
    ['settings theme null', { key: 'theme', value: null }],
    ['settings limits.turns 5', { key: 'limits.turns', value: 5 }],
  ])('/%s writes the setting', (line, setting) => {
    const { run, requests } = running({
      answers: { config_set: { file: '/f', setting: { key: 'model', takes: 'a' } } },
    })
    run(line)
    expect(requests).toEqual([{ type: 'config_set', ...workspace, ...setting }])
  })

  it.each([
    [
      { key: 'theme', value: 'light', from: 'file' },
      [{ type: 'theme', theme: 'light' }],
      'theme is "light" in /f; it applies to this screen',
    ],
    [{ key: 'theme' }, [{ type: 'theme' }], 'theme is not set (words) in /f; it applies to this screen'],
    [
      { key: 'notifications', value: 'off', from: 'environment', variable: 'RXPI_NOTIFY' },
      [{ type: 'notifies', notifies: false }],
      'notifications is "off" by RXPI_NOTIFY, which overrides /f; it applies to this screen',
    ],
    [
      { key: 'model', value: 'a/b', from: 'file' },
      [],
      'model is "a/b" in /f; it applies to sessions opened from now on',
    ],
  ])('applies the changed setting: %j', (setting, inputs, text) => {
    const { run, notices } = running({
      answers: { config_set: { file: '/f', setting: { takes: 'words', ...setting } } },
    })
    run('settings a b')
    expect(notices).toEqual([...inputs, { type: 'notice', level: 'info', text }])
  })

  it('loads the extensions anew, and reads the settings of this screen again', () => {
    const settings = [
      { key: 'model', takes: '' },
      { key: 'theme', takes: '', value: 'dark' },
    ]
    const { run, notices, requests } = running({
      answers: { config_list: { file: '/f', settings }, reload: { extensions: ['checksum'] } },
    })
    run('reload')
    expect(requests).toEqual([
      { type: 'reload', session: 'abcdefghij23' },
      { type: 'config_list', ...workspace },
    ])
    expect(notices[0]).toMatchObject({ text: 'Loaded anew: checksum' })
    expect(notices).toContainEqual({ type: 'theme', theme: 'dark' })
  })

  it('shows the failure of the server', () => {
    const { run, notices } = running({ answers: { set_model: new Failure('bad_request', 'no such model') } })
    run('model a/b')
    expect(notices).toEqual([expect.objectContaining({ type: 'notice', level: 'error', text: 'no such model' })])
  })

  it('shows how to overwrite files that the user edited', () => {
    const { run, notices } = running({ answers: { undo: new Failure('not_allowed', 'a.ts was changed since') } })
    run('undo')
    expect(notices[0]).toMatchObject({ text: 'a.ts was changed since', hint: '/undo force throws these edits away' })
  })

  it('opens a copy of the branch', () => {
    const made = { session: 'abcdefghij24', notices: [] }
    const { run, requests, opened } = running({
      answers: { get_state: { headEntryId: 'abcdefg2' }, branch_session: made, open_session: made },
    })
    run('branch')
    expect(requests).toEqual([
      { type: 'get_state', session },
      { type: 'branch_session', session, entryId: 'abcdefg2', newFile: true },
      { type: 'open_session', session: made.session, ...workspace, offerDemo: true },
    ])
    const message =
      'A copy of the conversation up to here, in a session of its own. /resume goes back to the one before'
    expect(opened).toEqual([{ ...made, notices: [{ code: 'opened', message }] }])
  })

  it('opens new sessions with the options of the command line and the model of now', () => {
    const options = { model: 'openai/flag', tools: ['read'], approve: 'ask', sandbox: 'read-only' } as const
    const view = { ...shown, model: 'openai/chosen', thinkingLevel: 'high' } as const
    const { run, requests } = running({ view, options: { ...options, tools: [...options.tools] } })
    run('new')
    expect(requests).toEqual([
      {
        type: 'new_session',
        ...workspace,
        offerDemo: true,
        ...options,
        model: 'openai/chosen',
        thinkingLevel: 'high',
        leaving: session,
      },
    ])
  })

  it('takes no demo model over into a new session, and opens others with its fences only', () => {
    const options = { model: 'openai/flag', approve: 'ask', sandbox: 'read-only' } as const
    const made = { session: 'abcdefghij24', notices: [] }
    const answers = { get_state: { headEntryId: 'abcdefg2' }, branch_session: made, open_session: made }
    const { run, requests } = running({ view: { ...shown, model: 'demo/guide' }, options, answers })
    run('new')
    run('branch')
    expect(requests).toMatchObject([{ type: 'new_session', model: 'openai/flag' }, {}, {}, { type: 'open_session' }])
    const { model: _, ...fences } = options
    expect(requests.at(-1)).toEqual({
      type: 'open_session',
      session: made.session,
      ...workspace,
      offerDemo: true,
      ...fences,
    })
  })

  it('says that a session is new [FIRST-lists]', () => {
    const { run, opened } = running({ answers: { new_session: { session: 'abcdefghij24', notices: [] } } })
    run('new')
    const message = 'A new session. /resume goes back to the one before'
    expect(opened).toMatchObject([{ notices: [{ message }] }])
  })

  it('shows the diff, or that nothing changed', () => {
    const files = [{ path: 'a.ts', change: 'modified', diff: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n' }]
    const { run, notices } = running({ answers: { get_diff: { files, more: 2 } } })
    run('diff')
    const [page] = notices
    expect(JSON.stringify(page)).toContain('a.ts')
    expect(JSON.stringify(page)).toContain('… and 2 more files')
    const none = running({ answers: { get_diff: { files: [], more: 0 } } })
    none.run('diff')
    expect(none.notices).toEqual([
      expect.objectContaining({ text: 'No file has changed since the first change of this session' }),
    ])
  })

  it('/quit leaves the UI', () => {
    const { run, hasLeft } = running()
    run('exit')
    expect(hasLeft()).toBe(true)
  })
})
