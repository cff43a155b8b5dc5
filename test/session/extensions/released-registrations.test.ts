// Tests that a session keeps nothing of what an extension has taken back.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
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
