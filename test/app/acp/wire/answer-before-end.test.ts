// Tests that the end of an editor's input waits for the answers to its requests, within a limit.
import type { AnyMessage } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { answerBeforeEnd } from '../../../../app/acp/wire/answer-before-end.ts'

const request = (id: number): AnyMessage => ({ jsonrpc: '2.0', id, method: 'session/list', params: {} })
const response = (id: number): AnyMessage => ({ jsonrpc: '2.0', id, result: {} })

function setup({ limitMs = 10_000, writes = () => Promise.resolve() } = {}) {
  const input = new TransformStream<AnyMessage, AnyMessage>()
  const written: AnyMessage[] = []
  const writable = new WritableStream<AnyMessage>({
    write: async (frame) => {
      await writes()
      written.push(frame)
    },
  })
  const stream = answerBeforeEnd({ readable: input.readable, writable }, limitMs)
  const reader = stream.readable.getReader()
  let hasEnded = false
  const ended = (async () => {
    for (;;) if ((await reader.read()).done) break
    hasEnded = true
  })()
  const editor = input.writable.getWriter()
  return { editor, agent: stream.writable.getWriter(), ended, hasEnded: () => hasEnded, written }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

describe('the end of the input', () => {
  it('comes at once if every request is answered', async () => {
    const { editor, agent, ended } = setup()
    await editor.write(request(1))
    await agent.write(response(1))
    await editor.close()
    await ended
  })

  it('waits for each answer to be written [ACP-stdio]', async () => {
    const { editor, agent, ended, hasEnded, written } = setup()
    await editor.write(request(1))
    await editor.write(request(2))
    void editor.close()
    await agent.write(response(2))
    await agent.write({ jsonrpc: '2.0', method: 'session/update', params: {} })
    await turns()
    expect(hasEnded()).toBe(false)
    await agent.write(response(1))
    await ended
    expect(written).toHaveLength(3)
  })

  it('does not wait longer than its limit', async () => {
    const { editor, ended } = setup({ limitMs: 20 })
    await editor.write(request(1))
    void editor.close()
    await ended
  })

  it('does not wait for a notification, or for an editor that takes no output', async () => {
    const { editor, agent, ended } = setup({ writes: () => Promise.reject(new Error('EPIPE')) })
    await editor.write({ jsonrpc: '2.0', method: 'session/cancel', params: {} })
    await editor.write(request(1))
    void editor.close()
    await expect(agent.write(response(1))).rejects.toThrow('EPIPE')
    await ended
  })
})
