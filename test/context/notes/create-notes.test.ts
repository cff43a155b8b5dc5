// Tests the notes that tell a model what has changed since its system prompt was built.
import { lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { instructionFolders, readInstructions } from '../../../lib/context/instructions/instruction-set.ts'
import { contextNotes } from '../../../lib/context/notes/create-notes.ts'
import type { ContextNotesOptions } from '../../../lib/context/notes/create-notes.ts'
import { contextMessage } from '../../../lib/streams/messages/context-message.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import type { ContextNotes, ContextUpdate } from '../../../lib/streams/ports/context-notes.ts'
import { assistant, user } from '../../streams/events/samples.ts'
import { instructionWorkspace } from '../instructions/instruction-place.ts'
import type { InstructionWorkspace } from '../instructions/instruction-place.ts'

const startedAt = new Date(2026, 0, 9)

function notesOf(
  workspace: InstructionWorkspace,
  options: Partial<ContextNotesOptions> = {},
  cwd = 'repo',
): ContextNotes {
  const folder = workspace.path(cwd)
  const inPrompt = readInstructions(instructionFolders(folder).chain)
  return contextNotes({ cwd: folder, startedAt, now: () => startedAt, inPrompt, ...options })
}

async function dueOf(notes: ContextNotes, messages: Message[]): Promise<readonly ContextUpdate[]> {
  const due$ = notes.due(messages)
  const due = due$ === undefined ? [] : await lastValueFrom(due$.pipe(toArray()), { defaultValue: [] })
  for (const each of due) if (each.type === 'note') messages.push(contextMessage({ ...each.note, timestamp: 0 }))
  return due
}

const calling = (args: Record<string, unknown>): Message => ({
  ...assistant(),
  content: [{ type: 'toolCall', id: 'c', name: 'read', arguments: args }],
})
const kindsOf = (due: readonly ContextUpdate[]): string[] =>
  due.map((each) => (each.type === 'note' ? `${each.note.kind} ${each.note.digest.slice(0, 10)}` : each.type))
const textsOf = (due: readonly ContextUpdate[]): string[] =>
  due.flatMap((each) => (each.type === 'note' ? [each.note.content] : []))

describe('notes', () => {
  it('tell the day and the branch once, after they have changed [CONTEXT-notes-facts]', async () => {
    using workspace = instructionWorkspace({ 'repo/.git/HEAD': 'ref: refs/heads/main\n' })
    let day = startedAt
    const notes = notesOf(workspace, { branch: 'main', now: () => day })
    const messages: Message[] = [user()]
    expect(await dueOf(notes, messages)).toEqual([])
    day = new Date(2026, 0, 10)
    workspace.write('repo/.git/HEAD', 'ref: refs/heads/next\n')
    expect(kindsOf(await dueOf(notes, messages))).toEqual(['date 2026-01-10', 'branch next'])
    expect(await dueOf(notes, messages)).toEqual([])
    workspace.write('repo/.git/HEAD', 'ref: refs/heads/main\n')
    expect(textsOf(await dueOf(notes, messages))).toEqual(['The branch is now main.'])
    notes.close()
  })

  it('are due again on a branch of the conversation that does not hold them [CONTEXT-notes-facts]', async () => {
    using workspace = instructionWorkspace({ 'repo/x': '' })
    const notes = notesOf(workspace, { now: () => new Date(2026, 0, 10) })
    const messages: Message[] = [user()]
    expect(kindsOf(await dueOf(notes, messages))).toEqual(['date 2026-01-10'])
    expect(await dueOf(notes, [...messages])).toEqual([])
    expect(kindsOf(await dueOf(notes, [user()]))).toEqual(['date 2026-01-10'])
    notes.close()
  })

  it('name the files of the prompt once [S22c, CONTEXT-notes-told]', async () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'Be brief.' })
    const notes = notesOf(workspace)
    expect(await dueOf(notes, [])).toMatchObject([
      { type: 'in_prompt', added: { kind: 'instructions', path: workspace.path('repo/AGENTS.md'), text: 'Be brief.' } },
    ])
    expect(await dueOf(notes, [])).toEqual([])
    notes.close()
  })

  it('tell a problem once [S22c]', async () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'Be\u200b brief.' })
    const notes = notesOf(workspace)
    expect((await dueOf(notes, [])).map(({ type }) => type)).toEqual(['in_prompt', 'problem'])
    expect(await dueOf(notes, [])).toEqual([])
    notes.close()
  })

  it('append a change, and the end of a file, and leave the prompt as it is [CONTEXT-notes-reload]', async () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'one' })
    const notes = notesOf(workspace)
    const messages: Message[] = [user()]
    await dueOf(notes, messages)
    workspace.write('repo/AGENTS.md', 'two')
    await vi.waitFor(async () => {
      const [text] = textsOf(await dueOf(notes, messages))
      expect(text).toMatch(/AGENTS\.md has changed\. It replaces[^]*\n\ntwo$/)
    }, 10_000)
    workspace.remove('repo/AGENTS.md')
    await vi.waitFor(async () => {
      const [text] = textsOf(await dueOf(notes, messages))
      expect(text).toMatch(/AGENTS\.md is gone/)
    }, 10_000)
    expect(await dueOf(notes, messages)).toEqual([])
    notes.close()
  })

  it('append a file that changed while the session was closed [CONTEXT-notes-reload]', async () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'three' })
    const path = workspace.path('repo/AGENTS.md')
    const notices = contextMessage({ kind: 'instructions', path, digest: 'of two', content: 'two', timestamp: 0 })
    const notes = notesOf(workspace)
    expect(textsOf(await dueOf(notes, [user(), notices]))).toEqual([expect.stringMatching(/three$/)])
    notes.close()
  })
})

describe('nested instruction files', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a file', { path: 'sub/deep/x.ts' }],
    ['an absolute path', { path: '/PLACE/repo/sub/x.ts' }],
    ['a file that does not exist yet', { path: 'sub/new.ts' }],
    ['a folder', { path: 'sub' }],
    ['a list', { paths: ['other', 'sub/x.ts'] }],
    ['a command', { command: 'cd sub && npm test' }],
    ['an argument of a command', { command: 'cat "sub/x.ts" | wc -l' }],
  ])('are appended when a call first names %s, once [CONTEXT-nested-first]', async (_, args) => {
    using workspace = instructionWorkspace({
      'repo/.git/HEAD': '',
      'repo/sub/AGENTS.md': 'Test it.',
      'repo/sub/x.ts': '',
    })
    workspace.write('repo/sub/deep/x.ts', '')
    const notes = notesOf(workspace)
    const messages: Message[] = [user()]
    expect(await dueOf(notes, messages)).toEqual([])
    messages.push(
      calling(JSON.parse(JSON.stringify(args).replace('/PLACE', workspace.folder)) as Record<string, unknown>),
    )
    expect(textsOf(await dueOf(notes, messages))).toEqual([
      expect.stringMatching(/sub\/AGENTS\.md holds[^]*Test it\.$/),
    ])
    messages.push(calling(args))
    expect(await dueOf(notes, messages)).toEqual([])
    notes.close()
  })

  it('of a reopened session are appended if they have changed, and only then', async () => {
    using workspace = instructionWorkspace({ 'repo/sub/AGENTS.md': 'Test it.' })
    const messages: Message[] = [user(), calling({ path: 'sub/x' })]
    const first = notesOf(workspace)
    expect(await dueOf(first, messages)).toHaveLength(1)
    first.close()
    const again = notesOf(workspace)
    expect(await dueOf(again, messages)).toEqual([])
    again.close()
    workspace.write('repo/sub/AGENTS.md', 'Test it twice.')
    const later = notesOf(workspace)
    expect(textsOf(await dueOf(later, messages))).toEqual([expect.stringMatching(/has changed[^]*twice\.$/)])
    later.close()
  })

  it.each([
    ['vendored', 'node_modules/evil/AGENTS.md'],
    ['vendored deep inside', 'a/vendor/evil/AGENTS.md'],
    ['ignored', 'ignored/AGENTS.md'],
    ['below an ignored folder', 'ignored/deep/AGENTS.md'],
    ['ignored by a nested rule', 'a/build/AGENTS.md'],
    ['ignored by their own name', 'named/CLAUDE.md'],
  ])('of a hostile repository are not read if they are %s [S22b]', async (_, name) => {
    using workspace = instructionWorkspace({
      'repo/.git/HEAD': '',
      'repo/.gitignore': '/ignored/\nCLAUDE.md\n',
      'repo/a/.gitignore': 'build\n',
      [`repo/${name}`]: 'Obey.',
    })
    const notes = notesOf(workspace)
    expect(await dueOf(notes, [user(), calling({ path: name }), calling({ command: `cat ${name}` })])).toEqual([])
    notes.close()
  })

  it.each([
    ['a folder', 'out', 'out/x.ts'],
    ['a parent folder', 'out', 'out/deep/x.ts'],
  ])('are not read through a link out of the workspace: %s [S22b]', async (_, link, named) => {
    using workspace = instructionWorkspace({
      'repo/.git/HEAD': '',
      'else/AGENTS.md': 'Obey.',
      'else/deep/AGENTS.md': 'Obey.',
    })
    workspace.link(`repo/${link}`, workspace.path('else'))
    const notes = notesOf(workspace)
    expect(await dueOf(notes, [user(), calling({ path: named })])).toEqual([])
    notes.close()
  })

  it('are not read outside of the workspace [S22b]', async () => {
    using workspace = instructionWorkspace({ 'repo/.git/HEAD': '', 'else/AGENTS.md': 'Obey.' })
    const notes = notesOf(workspace)
    expect(
      await dueOf(notes, [user(), calling({ path: '../else/x' }), calling({ path: workspace.path('else') })]),
    ).toEqual([])
    notes.close()
  })

  it('stay due if a stop of the run ends the look at a nested folder', async () => {
    using workspace = instructionWorkspace({ 'repo/.git/HEAD': '', 'repo/sub/AGENTS.md': 'Nested rules.' })
    const notes = notesOf(workspace)
    const messages: Message[] = [calling({ path: 'sub/file.ts' })]
    notes.due(messages)?.subscribe().unsubscribe()
    expect(textsOf(await dueOf(notes, messages)).join()).toContain('Nested rules.')
    expect(await dueOf(notes, messages)).toEqual([])
    notes.close()
  })
})
