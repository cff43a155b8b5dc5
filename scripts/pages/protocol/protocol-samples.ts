// Sample values that all examples of the protocol page share.

export const session = 'abcdefghij23'
/** Ids are base32: without 0, 1, 8 and 9. */
export const entryId = 'a7b2c3d4'
export const file = '/home/ada/log.jsonl'
export const header = {
  type: 'session',
  v: 1,
  id: session,
  createdAt: 1_700_000_000_000,
  cwd: '/home/ada/project',
  crc: '0b3a8f21',
}
export const model = { id: 'guide', provider: 'demo', api: 'demo', inputs: ['text'], reasoning: false }
export const opened = { session, header, model, notices: [] }
export const job = {
  jobId: 'm4n5p6q7',
  command: 'npm run dev',
  toolCallId: 'call_1',
  pty: false,
  running: true,
  startedAt: 1_700_000_000_200,
}
export const verdict = { file, clean: true, lines: 42, head: 41, damaged: 0, damages: [] }
export const usage = { input: 900, output: 120, cacheRead: 0, cacheWrite: 0, totalTokens: 1_020, cost: 'unknown' }
export const message = { role: 'user', content: 'Hi', timestamp: 1_700_000_000_100 }
