// Tests the file with the last chosen model.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  hadUsableModel,
  lastModel,
  storeLastModel,
  storeUsableModel,
} from '../../../lib/store/config/last-model-file.ts'

let home: string
beforeEach(() => {
  home = path.join(mkdtempSync(path.join(tmpdir(), 'rxpi-last-')), 'home')
})
afterEach(() => {
  rmSync(path.dirname(home), { recursive: true })
})

it('is undefined at first, then the last stored one, readable by this user alone', () => {
  expect(lastModel(home)).toBeUndefined()
  storeLastModel(home, 'a/b')
  storeLastModel(home, 'c/d')
  expect(lastModel(home)).toBe('c/d')
  const file = path.join(home, 'last-model.json')
  expect([statSync(file).mode & 0o777, statSync(home).mode & 0o777]).toEqual([0o600, 0o700])
})

it('is not written again if it is unchanged', () => {
  storeLastModel(home, 'a/b')
  const { ino } = statSync(path.join(home, 'last-model.json'))
  storeLastModel(home, 'a/b')
  expect(statSync(path.join(home, 'last-model.json')).ino).toBe(ino)
})

it.each(['', '{', 'null', '[]', '{"model":3}', '{"other":"a/b"}'])(
  'is undefined if the file contains %j',
  (content) => {
    storeLastModel(home, 'a/b')
    writeFileSync(path.join(home, 'last-model.json'), content)
    expect(lastModel(home)).toBeUndefined()
    storeLastModel(home, 'a/b')
    expect(readFileSync(path.join(home, 'last-model.json'), 'utf8')).toBe('{"model":"a/b"}\n')
  },
)

it('says that a model was usable, without a choice, and keeps a choice that is stored', () => {
  expect(hadUsableModel(home)).toBe(false)
  storeUsableModel(home)
  expect([hadUsableModel(home), lastModel(home)]).toEqual([true, undefined])
  storeLastModel(home, 'a/b')
  storeUsableModel(home)
  expect([hadUsableModel(home), lastModel(home)]).toEqual([true, 'a/b'])
})
