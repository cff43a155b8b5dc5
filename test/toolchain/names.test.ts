// Tests that the check of names reports banned words and repeated base names only.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bannedIdentifiers, checkNames, readExceptions } from '../../scripts/rooms/names.ts'

describe('bannedIdentifiers', () => {
  it.each([
    ['a variable', 'const told = 1', ['told']],
    ['a word inside a name', 'const keptEntries = 1, isSeen = 2, placeOf = 3', ['keptEntries', 'isSeen', 'placeOf']],
    ['a type', 'interface SnapshotPlace { a: 1 }; type Told = 1', ['SnapshotPlace', 'Told']],
    ['an Observable', 'const asked$ = 1', ['asked$']],
    ['a private field', 'class A { #given = 1 }', ['given']],
    ['a parameter', 'export const f = (course: number) => course', ['course']],
    ['a property', 'export const a = { landing: 1 }.landing', ['landing']],
    ['a constant', 'const MOST_SAID = 1', ['MOST_SAID']],
    ['other words', 'const replace = 1, placeholder = 2, ofCourseware = 3, tells = 4', []],
    ['strings and comments', 'const a = "kept" // told', []],
  ])('reads %s', (_, source, names) => {
    expect(Array.from(bannedIdentifiers(source, 'a.ts'))).toEqual(names)
  })

  it.each([
    ['a property', 'export const a = (b: { kept: 1 }) => b.kept', []],
    ['a shorthand', 'export const a = ({ kept }: { kept: 1 }) => 1', []],
    ['a variable', 'const kept = 1', ['kept']],
    ['a computed property', 'export const a = (b: number[], kept: number) => b[kept]', ['kept']],
  ])('allows a name of the wire as a property only: %s', (_, source, names) => {
    expect(Array.from(bannedIdentifiers(source, 'a.ts', ['kept']))).toEqual(names)
  })

  it('reads TSX', () => {
    expect(Array.from(bannedIdentifiers('export const A = () => <b>{told}</b>', 'a.tsx'))).toEqual(['told'])
  })
})

describe('checkNames', () => {
  const house = mkdtempSync(path.join(tmpdir(), 'rxpi-names-'))
  const files = {
    'lib/index.ts': '',
    'lib/client.ts': '',
    'lib/streams/index.ts': '',
    'lib/server/client.ts': '',
    'lib/server/index.ts': 'const told = 1',
    'lib/server/broadcast.ts': 'const told = 1',
    'lib/session/broadcast.ts': '',
    'lib/session/generated/broadcast.ts': 'const told = 1',
    'app/broadcast.tsx': '',
  }

  beforeAll(() => {
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
      writeFileSync(path.join(house, file), source)
    }
  })

  afterAll(() => rmSync(house, { recursive: true }))

  it('reports each name once; index files, barrels and generated files are exempt', () => {
    const { messages, stale } = checkNames(house, readExceptions(''))
    expect(messages).toEqual([
      'broadcast.ts names several files of lib: lib/server/broadcast.ts, lib/session/broadcast.ts',
      expect.stringContaining('lib/server/broadcast.ts: `told` holds a banned word'),
    ])
    expect(stale).toEqual([])
  })

  it('accepts exceptions, and reports unused ones', () => {
    const exceptions = readExceptions('# a list\nfile broadcast.ts\nfile gone.ts\nidentifier told\nidentifier kept\n')
    expect(checkNames(house, exceptions)).toEqual({ messages: [], stale: ['gone.ts', 'kept'] })
  })
})
