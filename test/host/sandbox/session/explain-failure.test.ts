// Tests the words about a server that a command in the sandbox did not reach.
import { describe, expect, it } from 'vitest'
import { explainFailure } from '../../../../lib/host/sandbox/session/explain-failure.ts'
import { valuesOf } from '../../../support/values-of.ts'

describe('explainFailure', () => {
  const output = "curl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server"
  const explained = async (sharesNetwork: boolean): Promise<string> => {
    const failure = { exitCode: 7, output, refused: [] }
    const texts = await valuesOf(explainFailure(failure, { profile: 'workspace', sharesNetwork, allow: [] }))
    return texts.join('\n')
  }

  it('says which servers a shared loopback reaches [SANDBOX-note]', async () => {
    expect(await explained(true)).toMatch(/commands and jobs of this session.*None listens on this port now.*escalate/)
  })

  it('says that a loopback of its own reaches none [SANDBOX-note]', async () => {
    expect(await explained(false)).toMatch(/has a network of its own.*in one command.*escalate/)
  })
})
