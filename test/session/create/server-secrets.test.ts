// Tests which entries of MCP servers hold secrets of a session.
import { expect, it } from 'vitest'
import { sessionSecrets } from '../../../lib/session/create/session-secrets.ts'
import type { McpServers } from '../../../lib/streams/config/mcp-servers.ts'

function redacted(text: string, mcpServers: McpServers, env: Readonly<Record<string, string>> = {}) {
  const { secrets } = sessionSecrets({ env, settings: { mcpServers }, models: { providers: {} } })
  return secrets?.begin().text(text)
}

it('secrets in the entries of MCP servers are hidden, and commands keep their variables [S18b]', () => {
  const env = { NOTES: 'planted-notes-01', NOTES_TOKEN: 'planted-token-01' }
  const mcpServers = {
    one: {
      url: 'https://one.example',
      headers: { authorization: 'Bearer planted-one-01', 'x-team': 'planted-team-01' },
    },
    two: { command: 'two', env: { TWO_TOKEN: 'planted-two-01', TWO_MODE: 'planted-mode-01', THEIR_KEY: '${NOTES}' } },
    three: { url: 'https://three.example', oauth: { clientSecret: 'planted-three-01' } },
    four: {
      command: 'four',
      env: { FOUR_TOKEN: '$NOTES_TOKEN', MISSING_KEY: '$MISSING', FIVE_KEY: '${X:-planted-five-01}' },
    },
  }
  const { env: rest, secrets } = sessionSecrets({ env, settings: { mcpServers }, models: { providers: {} } })
  expect(rest).toEqual(env)
  const texts = ['one', 'two', 'three', 'five', 'notes', 'token', 'team', 'mode'].map((name) => `planted-${name}-01`)
  expect(texts.map((text) => secrets?.begin().text(text))).toEqual([
    ...['one', 'two', 'three', 'four', 'two'].map((server) => `[redacted:secret of ${server}]`),
    ...['[redacted:NOTES_TOKEN]', 'planted-team-01', 'planted-mode-01'],
  ])
})

it.each<[args: readonly string[], output: string, shown: string]>([
  [['--api-key', 'planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['--api-key', 'planted:one-01'], 'planted:one-01', '[redacted:secret of one]'],
  [['--api-key', 'cGxhbnRlZA=='], 'cGxhbnRlZA==', '[redacted:secret of one]'],
  [['--api-key=planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['-e', 'ONE_TOKEN=planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['--env=ONE_TOKEN=planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['--header', 'Authorization: Bearer planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['--header', 'Authorization:  Bearer planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['--header=X-Api-Key:planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['https://one.example/mcp?tavilyApiKey=planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['--url=https://one.example/mcp?key=planted-one-01'], 'planted-one-01', '[redacted:secret of one]'],
  [['--accessToken', '${NOTES}'], 'planted-notes-01', '[redacted:secret of one]'],
  [['--token', '$NOTES_TOKEN'], 'planted-token-01', '[redacted:NOTES_TOKEN]'],
  [['--api-key', '--folder', 'planted-one-01'], 'planted-one-01', 'planted-one-01'],
  [['--no-token', 'planted-one-01'], 'planted-one-01', 'planted-one-01'],
  [['--folder=planted-one-01', '--key-file', 'planted-two-01'], 'planted-one-01 planted-two-01', 'planted-one-01 planted-two-01'], // prettier-ignore
  [['planted-one-01', '--token'], 'planted-one-01 --token', 'planted-one-01 --token'],
])('the arguments %j of an MCP server turn %j into %j [S18b]', (args, output, shown) => {
  const env = { NOTES: 'planted-notes-01', NOTES_TOKEN: 'planted-token-01' }
  expect(redacted(output, { one: { command: 'one', args: [...args] } }, env)).toBe(shown)
})

it('a secret in the query of an MCP server’s URL is hidden [S18b]', () => {
  const url = 'https://one.example/mcp?exaApiKey=planted-one-01&profile=planted-two-01'
  expect(redacted('planted-one-01 planted-two-01', { one: { url } })).toBe('[redacted:secret of one] planted-two-01')
})
