// Tests skills and templates of extensions: lists, prompts, names that are taken, notes, and that they end.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPromptCommands } from '../../../lib/context/index.ts'
import { extensionSet } from '../../../lib/extensions/index.ts'
import type { ExtensionApi, ExtensionDefinition, Registration } from '../../../lib/extensions/index.ts'
import { extensionSkillFolders } from '../../../lib/session/create/extension-texts.ts'
import type { PromptCommand } from '../../../lib/streams/ports/prompt-commands.ts'
import { closeOpened, extension, open, run } from '../extensions/extension-scene.ts'
import type { Opened } from '../extensions/extension-scene.ts'

let top: string
const at = (...names: readonly string[]): string => path.join(top, ...names)

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-extension-texts-')))
  write('own/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Reads PDFs.\n---\nThe text of pdf.\n')
  write('own/prompts/notes.md', '---\ndescription: writes notes\nargument-hint: TOPIC\n---\nWrite notes about $1.')
  write('own/prompts/review.md', 'Review it my way.')
})
afterEach(() => {
  closeOpened()
  rmSync(top, { recursive: true })
})

function write(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), text)
}

function withTexts(onRegistered: (registered: readonly Registration[]) => void = () => undefined): ExtensionDefinition {
  return extension(({ skills, templates }) => {
    onRegistered([skills.register(at('own/skills')), templates.register(at('own/prompts'))])
  })
}

function listOf({ session }: Opened) {
  let found: { commands: readonly PromptCommand[]; problems: readonly unknown[] } | undefined
  session.commands?.list().subscribe((list) => (found = list))
  if (found === undefined) throw new Error('no list')
  return found
}

const ofExtensions = (state: Opened) => listOf(state).commands.filter(({ source }) => source === 'extension')
const userTexts = ({ requests }: Opened, index = 0): string => JSON.stringify(requests[index]?.messages)

describe('skills and templates of an extension', () => {
  it('are listed with their extension and file, and expanded in prompts', () => {
    const state = open([withTexts()], ['Done', 'Done'])
    expect(ofExtensions(state)).toEqual([
      { name: 'skill:pdf', kind: 'skill', description: 'Reads PDFs.', argument: '[text]', source: 'extension', extension: 'probe', path: at('own/skills/pdf/SKILL.md') }, // prettier-ignore
      { name: 'notes', kind: 'template', description: 'writes notes', argument: 'TOPIC', source: 'extension', extension: 'probe', path: at('own/prompts/notes.md') }, // prettier-ignore
      expect.objectContaining({ name: 'review', kind: 'template' }) as unknown,
    ])
    run(state, '/notes RxJS')
    expect(userTexts(state)).toContain('Write notes about RxJS.')
    run(state, '/skill:pdf a.pdf')
    expect(userTexts(state, 1)).toContain('The text of pdf.')
  })

  it('reach the model by a note, and a second one when they are gone', () => {
    let registered: readonly Registration[] = []
    const state = open([withTexts((all) => (registered = all))], ['Done', 'Done', 'Done'])
    run(state)
    const line = `- pdf: Reads PDFs. (${at('own/skills/pdf/SKILL.md')})`
    expect(userTexts(state)).toContain(line)
    run(state, 'Go on')
    expect(userTexts(state, 1).split(line)).toHaveLength(2)
    for (const each of registered) each.unregister()
    expect(ofExtensions(state)).toEqual([])
    run(state, '/notes gone')
    expect(userTexts(state, 2)).toContain('SKILL.md is not available any more')
    expect(userTexts(state, 2)).toContain('/notes gone')
  })

  it('take no name of a file, and replace a built-in command', () => {
    write('user/notes.md', 'The notes of the user.')
    const commands = createPromptCommands({ skills: [], templates: [{ folder: at('user'), source: 'user' }] })
    const state = open([withTexts()], ['Done', 'Done'], { commands })
    const list = listOf(state)
    expect(list.commands.filter(({ name }) => name === 'notes')).toEqual([expect.objectContaining({ source: 'user' })])
    expect(list.commands.filter(({ name }) => name === 'review')).toEqual([expect.objectContaining({ source: 'extension' })]) // prettier-ignore
    expect(list.problems).toEqual([
      { path: at('own/prompts/notes.md'), level: 'error', message: `its name notes is taken by ${at('user/notes.md')}, which comes first` }, // prettier-ignore
    ])
    run(state, '/notes')
    expect(userTexts(state)).toContain('The notes of the user.')
    run(state, '/review')
    expect(userTexts(state, 1)).toContain('Review it my way.')
  })

  it('may be read, and are gone with their extension', () => {
    const set = extensionSet({ host: { id: 'a', cwd: '/', env: {}, ownTools: [] } })
    set.load(withTexts()).subscribe()
    expect(extensionSkillFolders(set)).toEqual([at('own/skills')])
    set.unload('probe').subscribe()
    expect(extensionSkillFolders(set)).toEqual([])
    set.close().subscribe()
  })

  it.each<[string, (api: ExtensionApi) => unknown, string]>([
    ['a relative path', ({ skills }) => skills.register('skills'), 'is no absolute path'],
    ['a path where nothing is', ({ templates }) => templates.register('/not/there'), 'that exists'],
    ['a value that is no text', ({ skills }) => skills.register(3 as never), 'registers skills at 3'],
  ])('are refused with %s', (_, act, words) => {
    let message = ''
    const trying = extension((api) => {
      try {
        act(api)
      } catch (error) {
        message = String(error)
      }
    })
    open([trying], [])
    expect(message).toContain(words)
  })

  it('need the capability read', () => {
    let message = ''
    const trying = extension(
      ({ skills }) => {
        try {
          skills.register(at('own/skills'))
        } catch (error) {
          message = String(error)
        }
      },
      { capabilities: [] },
    )
    open([trying], [])
    expect(message).toContain('does not name the capability read')
  })
})
