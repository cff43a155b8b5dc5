// Tests that a session keeps nothing of what an extension has taken back.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { NEVER } from 'rxjs'
import { afterEach, expect, it } from 'vitest'
import { extensionSet } from '../../../lib/extensions/index.ts'
import type { Registration } from '../../../lib/extensions/index.ts'
import { closeOpened, extension, open } from './extension-scene.ts'

afterEach(closeOpened)

it('an extension that registers and takes back forever keeps no memory', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const left: WeakRef<object>[] = []
  open(
    [
      extension(({ hooks }) => {
        for (let count = 0; count < 100; count++) {
          const hook = (): undefined => undefined
          const registered: Registration = hooks.on('message_end', hook)
          left.push(new WeakRef(hook))
          registered.unregister()
        }
      }),
    ],
    [],
  )
  await new Promise((resolve) => setTimeout(resolve, 1)) // a WeakRef holds its target until the turn is over
  gc()
  expect(left).toHaveLength(100)
  expect(left.filter((each) => each.deref() !== undefined).length).toBeLessThanOrEqual(1)
})

it('a load that is unsubscribed during setup leaves nothing, and no later load of the name', () => {
  const set = extensionSet({ host: { id: 'a', cwd: '/', env: {}, ownTools: [] } })
  const slow = extension(({ commands }) => {
    commands.register({ name: 'slow', description: '', run: () => '' })
    return NEVER as never
  })
  const loading = set.load(slow).subscribe()
  expect(set.contributions.commands.entries).toHaveLength(1)
  loading.unsubscribe()
  expect([set.loaded, set.contributions.commands.entries]).toEqual([[], []])
  const first = set.load(slow).subscribe()
  set
    .load(extension(({ commands }) => void commands.register({ name: 'later', description: '', run: () => '' })))
    .subscribe()
  first.unsubscribe()
  expect(set.contributions.commands.entries.map(({ value }) => value.name)).toEqual(['later'])
  set.close().subscribe()
})
