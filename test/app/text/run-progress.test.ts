// Tests the progress of a run on standard error.
import { expect, it } from 'vitest'
import { createOutput } from '../../../app/process/output.ts'
import { reportProgress } from '../../../app/text/run-progress.ts'
import { sampleEvents } from '../../streams/events/samples.ts'
import { recordingStream } from '../../support/fake-world.ts'

it('says that earlier messages are summarised, and what that saved', () => {
  const stream = recordingStream({ isTTY: false })
  const watch = reportProgress(createOutput({ stream, name: 'standard error', colours: false }))
  const progress = { type: 'compaction_progress', reason: 'threshold', tokensBefore: 182_000 } as const
  watch({ ...progress, characters: 0 })
  watch({ ...progress, characters: 256 })
  const saved = { tokensBefore: 182_000, tokensAfter: 24_000, messages: 41, reason: 'threshold' }
  watch({ ...sampleEvents.compaction, ...saved })
  expect(stream.written).toBe(
    [
      'rxpi: the model summarises earlier messages (182k tokens)',
      'rxpi: 41 messages were summarised · 182k → 24k tokens · the window was nearly full',
      '',
    ].join('\n'),
  )
})
