// A session of the library that asks for approvals and answers.
// Questions are answered, denied and left to their defaults.
import path from 'node:path'
import { firstValueFrom, lastValueFrom } from 'rxjs'
import type { createSession as createSessionType } from '../../../lib/index.ts'
import type { fileStore as fileStoreType } from '../../../lib/store/index.ts'
import type { Workspace } from '../harness/place.ts'

interface Library {
  readonly createSession: typeof createSessionType
  readonly fileStore: typeof fileStoreType
}

export async function questionsScene(workspace: Workspace, build: string): Promise<void> {
  const { createSession, fileStore } = await libraryOf(build)
  const call = (command: string): object => ({ name: 'bash', arguments: { command } })
  const answers = [{ toolCalls: [call('echo allowed')] }, { toolCalls: [call('echo denied')] }, 'Asked twice.']
  const session = createSession({
    store: fileStore({ home: workspace.home }),
    model: workspace.scripted('questions', answers),
    cwd: workspace.folder,
    env: workspace.env,
    approve: 'ask',
  })
  const outcomes = [{ outcome: 'once' }, { outcome: 'deny', text: 'Not this one' }, { outcome: 'tea' }]
  const answering = session.answering$.subscribe()
  session.listen((event) => {
    if (event.type !== 'ui_request') return
    const answer = outcomes.shift()
    if (answer !== undefined) session.send({ type: 'ui_response', requestId: event.requestId, ...answer }).subscribe()
  })
  const settled = new Promise<void>((resolve) => {
    session.listen((event) => {
      if (event.type === 'agent_settled') resolve()
    })
  })
  await lastValueFrom(session.send({ type: 'prompt', text: 'Ask me' }), { defaultValue: undefined })
  await settled
  const ask = (kind: 'select' | 'confirm', more: object): Promise<unknown> =>
    firstValueFrom(session.ask({ kind, text: 'Which?', source: 'a program', ...more }), { defaultValue: undefined })
  await ask('select', { options: ['tea', 'coffee'] })
  await ask('confirm', { default: true, timeoutMs: 10 })
  answering.unsubscribe()
  await lastValueFrom(session.close(), { defaultValue: undefined })
}

async function libraryOf(build: string): Promise<Library> {
  const load = async (name: string): Promise<unknown> => import(path.join(build, 'dist/lib', name))
  const parts = [await load('index.js'), await load('store.js')]
  return Object.assign({}, ...parts) as Library // the package's own entries
}
