// Tests the short form of a folder's path.
import { expect, it } from 'vitest'
import { shortenFolder } from '../../../app/text/short-folder.ts'

it.each<[string, string | undefined, string]>([
  ['/home/ada', '/home/ada', '~'],
  ['/home/ada/x', '/home/ada', '~/x'],
  ['/home/adam', '/home/ada', '/home/adam'],
  ['/srv', '/home/ada', '/srv'],
  ['/srv', '/', '/srv'],
  ['/srv', '', '/srv'],
  ['/srv', undefined, '/srv'],
])('shortens %s with the home folder %s to %s', (folder, home, text) => {
  expect(shortenFolder(folder, home)).toBe(text)
})
