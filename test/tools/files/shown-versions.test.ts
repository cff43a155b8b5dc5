// Tests the store of shown versions: ids and bounds.
import { expect, it } from 'vitest'
import { shownVersions } from '../../../lib/tools/files/hashline/shown-versions.ts'

const bytes = (text: string) => Buffer.from(text)

it('names a version of a file of a session once, and an unchanged one alike [TOOLS-edit-hashline]', () => {
  const versions = shownVersions()
  const ids = new Set<string>()
  for (const session of ['one', 'two'])
    for (const file of ['/a', '/b'])
      for (let index = 0; index < 500; index += 1) ids.add(versions.add(session, file, bytes(`${index}`)).id)
  expect(ids.size).toBe(2000)
  expect(versions.add('one', '/a', bytes('7')).id).toBe(versions.add('one', '/a', bytes('7')).id)
  expect(shownVersions().add('one', '/a', bytes('7')).id).toBe(shownVersions().add('three', '/a', bytes('7')).id)
})

it('holds the versions that were used last, within its bounds [TOOLS-edit-hashline]', () => {
  const versions = shownVersions({ files: 3, versionsPerFile: 2, bytes: 100 })
  const add = (file: string, text: string) => versions.add('s', file, bytes(text)).id
  const has = (...ids: string[]) => ids.map((id) => versions.find('s', id) !== undefined)
  const [first, second, third] = [add('/a', '1'), add('/a', '2'), add('/a', '3')]
  expect(has(first, second, third)).toEqual([false, true, true])
  add('/a', '2') // used again
  const fourth = add('/a', '4')
  expect(has(second, third, fourth)).toEqual([true, false, true])
  const others = ['/b', '/c', '/d'].map((file) => add(file, file))
  expect(has(second, fourth, ...others)).toEqual([false, false, true, true, true])
  const long = add('/e', 'x'.repeat(99))
  expect(has(...others, long)).toEqual([false, false, false, true])
  expect(has(add('/f', 'x'.repeat(1000)))).toEqual([true]) // the newest always
})

it('forgets which lines were shown beyond 200 ranges', () => {
  const version = shownVersions().add('s', '/a', bytes('x'))
  for (let line = 0; line < 1000; line += 2) version.addShown(line, line)
  expect([0, 599, 600, 998].map((line) => version.hasShown(line))).toEqual([false, false, true, true])
})
