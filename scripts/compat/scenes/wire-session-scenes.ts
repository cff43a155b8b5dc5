// Conversations about sessions: malformed lines, listing, settings, branches, undo and export.
import { prompted } from './log-scenes.ts'
import type { Frame } from '../harness/wire-client.ts'
import { askAll, createdSession } from './wire-scene.ts'
import type { WireScene } from './wire-scene.ts'

const call = (name: string, args: object): object => ({ name, arguments: args })

const malformed = [
  'no json',
  'null',
  '[1]',
  '{"id":"a"}',
  '{"id":"b","type":"nothing"}',
  '{"id":"c","type":7}',
  '{"type":"ping"}',
  '{"id":7,"type":"ping"}',
  '{"id":"","type":"ping"}',
  '{"v":2,"id":"d","type":"ping"}',
  '{"id":"e","type":"prompt","session":"x","text":"y"}',
  '{"id":"f","type":"prompt","session":"aaaaaaaaaaaa","text":"y"}',
  '{"id":"g","type":"prompt","session":"aaaaaaaaaaaa"}',
  '{"id":"h","type":"attach","session":"aaaaaaaaaaaa","after":-1}',
  '{"id":"i","type":"new_session","cwd":"relative"}',
  '{"id":"j","type":"get_entries","session":"aaaaaaaaaaaa","limit":0}',
  '{"id":"k","type":"cancel","target":"none"}',
  '{"id":"l","type":"ping","unknown":true}',
]

const greeting: WireScene = {
  name: 'greeting',
  script: [],
  talk: async (client) => {
    await client.until(({ type }) => type === 'hello')
    for (const line of malformed) {
      const from = client.frames.length
      client.send(line)
      await client.until(({ type }) => type === 'response', from)
    }
    await askAll(client, [{ type: 'hello', client: 'recorder', ui: true }, { type: 'ping' }])
  },
}

const sessions: WireScene = {
  name: 'sessions',
  script: ['One.', 'Two.'],
  talk: async (client, { cwd, env, model }) => {
    await askAll(client, [{ type: 'list_sessions', cwd }])
    const session = await createdSession(client, {
      cwd,
      env,
      model,
      title: 'First',
      thinkingLevel: 'low',
      tools: ['read'],
    })
    await askAll(client, [{ type: 'new_session', cwd, env, model: 'nowhere/none' }])
    await client.result({ type: 'attach', session, after: 0 })
    await prompted(client, session, 'Hello')
    const second = await createdSession(client, { cwd, env, model, opId: 'create-1' })
    await askAll(client, [
      { type: 'new_session', cwd, env, model, opId: 'create-1' },
      { type: 'new_session', cwd, env, model, title: 'Other', opId: 'create-1' },
      { type: 'rename_session', session, title: 'Renamed' },
      { type: 'set_label', session, entryId: 'aaaaaaaa', label: 'none' },
      { type: 'get_state', session },
      { type: 'get_tree', session },
      { type: 'get_entries', session, before: 100, limit: 1 },
      { type: 'verify_session', session },
      { type: 'switch_session', session },
      { type: 'list_sessions', cwd, limit: 1 },
      { type: 'delete_session', session },
      { type: 'detach', session },
      { type: 'delete_session', session: second },
      { type: 'open_session', cwd, env, session },
      { type: 'open_session', cwd, env, session: 'aaaaaaaaaaaa' },
    ])
  },
}

const settings: WireScene = {
  name: 'settings',
  files: { 'a.txt': 'alpha\n' },
  script: ['One.'],
  talk: async (client, { cwd, env, model }) => {
    const session = await createdSession(client, { cwd, env, model: 'demo/guide' })
    await client.result({ type: 'attach', session, after: 0 })
    await askAll(client, [
      { type: 'set_model', session, model },
      { type: 'set_model', session, model: 'nowhere/none' },
      { type: 'set_thinking_level', session, thinkingLevel: 'high' },
      { type: 'set_thinking_level', session, thinkingLevel: 'highest' },
      { type: 'set_active_tools', session, tools: ['read'] },
      { type: 'set_active_tools', session, tools: ['none'] },
      { type: 'set_queue_mode', session, queue: 'followUp', mode: 'all' },
      { type: 'list_tools', session },
      { type: 'find_files', session, query: 'a' },
      { type: 'run_tool', name: 'read', args: { path: 'a.txt' }, cwd },
      { type: 'run_tool', name: 'read', args: {}, cwd },
      { type: 'config_list', cwd, env },
      { type: 'config_set', cwd, env, key: 'limits.turns', value: 7 },
      { type: 'config_get', cwd, env, key: 'limits.turns' },
      { type: 'config_set', cwd, env, key: 'limits.turns', value: 'many' },
      { type: 'config_set', cwd, env, key: 'limits.turns', value: null },
      { type: 'auth_list', cwd, env },
    ])
  },
}

const branches: WireScene = {
  name: 'branches',
  script: [{ toolCalls: [call('write', { path: 'b.txt', content: 'one\n' })] }, 'One.', 'Two.', 'A summary.', 'Three.'],
  talk: async (client, { cwd, env, model }) => {
    const session = await createdSession(client, { cwd, env, model })
    await client.result({ type: 'attach', session, after: 0, deltas: false })
    await prompted(client, session, 'First')
    await prompted(client, session, 'Second')
    const { entries } = await client.result({ type: 'get_entries', session, after: 0 })
    const entryId = (entries as readonly Frame[])[3]?.['entryId']
    await askAll(client, [
      { type: 'set_label', session, entryId, label: 'here' },
      { type: 'branch_session', session, entryId, summarise: true },
      { type: 'branch_session', session, entryId, newFile: true },
      { type: 'undo', session, dryRun: true },
      { type: 'undo', session },
      { type: 'branch_session', session, entryId: 'aaaaaaaa' },
      { type: 'get_tree', session },
      { type: 'export_session', session, format: 'markdown' },
      { type: 'repair_session', session },
      { type: 'replay_session', session, speed: 0 },
    ])
  },
}

export { branches, greeting, sessions, settings }
