// Tests which client's offer a session uses.
import { EMPTY } from 'rxjs'
import { expect, it } from 'vitest'
import { clientOffers } from '../../../lib/session/tools/client-offers.ts'
import type { ClientFiles, FilesOffer } from '../../../lib/streams/environment/file-exchange.ts'

const files = (): ClientFiles => ({ canWrite: true, read: () => EMPTY, write: () => EMPTY })

it('uses those of the last client, and the earlier ones again when it leaves', () => {
  const offers = clientOffers<FilesOffer>()
  const changes: string[] = []
  const [one, two, three] = [files(), files(), files()]
  const note = (name: string) => (isReplaced: boolean) =>
    void changes.push(`${name} ${isReplaced ? 'replaced' : 'used'}`)
  expect(offers.current()).toBeUndefined()
  const first = offers.offer({ files: one, onReplaced: note('one') })
  const second = offers.offer({ files: two, onReplaced: note('two') })
  const third = offers.offer({ files: three })
  expect([offers.current()?.files === three, changes]).toEqual([true, ['one replaced', 'two replaced']])
  second()
  second()
  expect(changes).toHaveLength(2)
  third()
  expect([offers.current()?.files === one, changes.at(-1)]).toEqual([true, 'one used'])
  first()
  expect(offers.current()).toBeUndefined()
})
