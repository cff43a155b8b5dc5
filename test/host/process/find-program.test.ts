// Tests how programs are found outside the workspace.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../../lib/host/process/find-program.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-find-'))
const workspace = path.join(folder, 'project')
afterAll(() => rmSync(folder, { recursive: true }))

function plant(file: string, mode = 0o755): string {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, mode)
  return file
}
const outside = plant(path.join(folder, 'tools/planted'))
plant(path.join(workspace, 'bin/planted'))
plant(path.join(workspace, 'bin/bash'))
plant(path.join(folder, 'dull/planted'), 0o644)
mkdirSync(path.join(folder, 'folders/planted'), { recursive: true })
plant(path.join(folder, 'project-next-door/planted'))
symlinkSync(workspace, path.join(folder, 'link'))

const find = (name: string, ...entries: string[]) => findProgram(name, { searchPath: entries.join(':'), workspace })

describe('findProgram [S16a]', () => {
  it('finds the first executable file of the PATH', () => {
    expect(find('planted', path.join(folder, 'nowhere'), path.join(folder, 'tools'))).toBe(outside)
  })

  it.each([
    ['inside the workspace', path.join(workspace, 'bin')],
    ['inside the workspace through a link', path.join(folder, 'link/bin')],
    ['the workspace itself', workspace],
    ['relative', 'test'],
    ['empty, which means the working folder', ''],
    ['a file that is not executable', path.join(folder, 'dull')],
    ['a folder of that name', path.join(folder, 'folders')],
  ])('skips an entry that is %s', (_, entry) => {
    expect(find('planted', entry, path.join(folder, 'tools'))).toBe(outside)
    expect(find('planted', entry)).toBe(undefined)
  })

  it('skips a relative entry, even if the working folder has such a program', () => {
    const before = process.cwd()
    process.chdir(folder)
    try {
      expect(find('planted', 'tools')).toBe(undefined)
      expect(find('planted', '.', './tools', '../tools')).toBe(undefined)
    } finally {
      process.chdir(before)
    }
  })

  it('skips an entry inside a workspace that is named through a link', () => {
    const search = { searchPath: path.join(workspace, 'bin'), workspace: path.join(folder, 'link') }
    expect(findProgram('planted', search)).toBe(undefined)
  })

  it('accepts a folder whose name only begins like the workspace', () => {
    expect(find('planted', path.join(folder, 'project-next-door'))).toBeDefined()
  })

  it('finds the shell of the system, whatever the workspace or the PATH contains', () => {
    expect(find('bash', path.join(workspace, 'bin'))).toMatch(/^\/(?:usr\/)?bin\/bash$/)
    expect(findProgram('sh', { searchPath: undefined, workspace: '/' })).toMatch(/^\/(?:usr\/)?bin\/sh$/)
  })
})
