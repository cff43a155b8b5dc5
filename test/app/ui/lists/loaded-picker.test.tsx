// Tests the picker whose rows come from the server, before they are there.
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it } from 'vitest'
import type { Loaded } from '../../../../app/ui/hooks/use-request.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { LoadedPicker } from '../../../../app/ui/lists/loaded-picker.tsx'
import { Failure } from '../../../../lib/streams/values/failure.ts'

afterEach(cleanup)

describe('LoadedPicker', () => {
  const hostile =
    'issues: \u001b]8;;http://bad.example\u0007ready\u001b]8;;\u0007 \u001b[8mhidden \u009b7mall\nand more'
  const states: readonly Loaded<never>[] = [
    { state: 'loading' },
    { state: 'failed', failure: new Failure('provider_error', hostile) },
  ]

  it.each(states)('escapes its title and a failure: $state [S19a]', (loaded) => {
    const { lastFrame } = render(
      <Keyboard>
        <LoadedPicker
          title={hostile}
          loaded={loaded}
          rowsOf={() => []}
          columns={400}
          height={8}
          empty=""
          onAccept={() => undefined}
          onCancel={() => undefined}
        />
      </Keyboard>,
    )
    const frame = lastFrame() ?? ''
    expect(frame).toContain('␛]8;;http://bad.example')
    expect(frame).toContain('<U+009B>7mall')
    expect(frame).not.toMatch(/\u001b\]|\u001b\[8m|\u001b\[7m|\u009b/)
  })
})
