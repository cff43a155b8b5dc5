// Tests that the tools of a session use the files of its editor.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { editorFiles } from '../../../../app/acp/session/editor-files.ts'
import { acpScene } from '../acp-scene.ts'

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })

describe('the files of an editor', () => {
  it('are read with what is not saved, and changed there [ACP-files, ACP-client-fs]', async () => {
    const read = call('read', { path: 'a.txt' })
    const edit = call('edit', { path: 'a.txt', edits: [{ oldText: 'unsaved', newText: 'changed' }] })
    const scene = acpScene({ script: [read, edit, call('write', { path: 'sub/new.txt', content: 'fresh' }), 'Done.'] })
    const file = join(scene.folder, 'a.txt')
    writeFileSync(file, 'saved\n')
    mkdirSync(join(scene.folder, 'sub'))
    const files = new Map([[file, 'unsaved\n']])
    const editor = await scene.editor({ files, capabilities: { fs: { readTextFile: true, writeTextFile: true } } })
    const { sessionId } = await editor.newSession()
    await editor.prompt(sessionId, 'change it')
    expect(editor.text()).toBe('Done.')
    const results = JSON.stringify(editor.of('tool_call_update').filter(({ status }) => status === 'completed'))
    expect(results).toContain('unsaved')
    expect(files.get(file)).toBe('changed\n')
    expect(files.get(join(scene.folder, 'sub/new.txt'))).toBe('fresh')
    expect(existsSync(join(scene.folder, 'sub/new.txt'))).toBe(false)
  })

  it('are those of the disk if the editor reads none [ACP-files]', async () => {
    const ask = (): never => {
      throw new Error('it asks')
    }
    expect(editorFiles({ ask }, 's', { readsFiles: false, writesFiles: true })).toBeUndefined()
    expect(editorFiles({ ask }, 's', { readsFiles: true, writesFiles: false })).not.toHaveProperty('write')
    const scene = acpScene({ script: [call('read', { path: 'a.txt' }), 'Done.'] })
    writeFileSync(join(scene.folder, 'a.txt'), 'saved\n')
    const editor = await scene.editor({ files: new Map(), capabilities: { fs: { readTextFile: false } } })
    const { sessionId } = await editor.newSession()
    await editor.prompt(sessionId, 'read it')
    expect(JSON.stringify(editor.of('tool_call_update'))).toContain('saved')
  })
})
