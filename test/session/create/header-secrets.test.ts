// Tests which headers of models.json and which entries of MCP servers hold secrets of a session.
import { describe, expect, it } from 'vitest'
import { sessionSecrets } from '../../../lib/session/create/session-secrets.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'

type WrittenProvider = ModelsFile['providers'][string]

function guardedBy(provider: WrittenProvider, variables: Record<string, string> = {}) {
  return sessionSecrets({ env: variables, settings: {}, models: { providers: { one: provider } } })
}

describe('the headers of models.json [S18b]', () => {
  const variables = { ACME: 'planted-acme-01', USER: 'ann-smith', WORK: 'planted-work-01', AGENT: 'planted-agent-01' }
  it.each<[header: string, value: string, output: string, shown: string]>([
    ['authorization', 'Bearer planted-one-01', 'got planted-one-01', 'got [redacted:header of one]'],
    ['X-Api-Key', 'planted-one-01', '"planted-one-01"', '"[redacted:header of one]"'],
    ['cf-access-client-secret', 'planted$$one-01', 'planted$one-01 planted$$one-01', '[redacted:header of one] [redacted:header of one]'], // prettier-ignore
    ['cookie', 'theme=dark; session=planted-one-01', 'planted-one-01, dark', '[redacted:header of one], dark'],
    ['x-upstream', 'Basic cGxhbnRlZDpvbmU=', 'cGxhbnRlZDpvbmU=', '[redacted:header of one]'],
    ['x-api-key', 'pre-$ACME', 'pre-planted-acme-01', '[redacted:header of one]'],
    ['x-api-key', '${ACME}', 'planted-acme-01 ${ACME}', '[redacted:ACME] ${ACME}'],
    ['x-customer', 'for $ACME', 'planted-acme-01', '[redacted:ACME]'],
    ['x-api-key', 'secretly', 'secretly', 'secretly'],
    ['x-team', 'planted-team-01', 'planted-team-01', 'planted-team-01'],
    ['content-type', 'application/json', 'application/json', 'application/json'],
    [
      'user-agent',
      'planted-agent/1.0 $AGENT',
      'planted-agent/1.0 planted-agent-01',
      'planted-agent/1.0 planted-agent-01',
    ],
    ['x-author', 'Ann Smith, 2026', 'Ann Smith, 2026', 'Ann Smith, 2026'],
    ['x-auth-user', '$USER', 'ann-smith', 'ann-smith'],
    ['x-api-key', '!print planted-one-01', 'planted-one-01', 'planted-one-01'],
  ])('%s: %s turns %j into %j', (header, value, output, shown) => {
    const ofProvider = guardedBy({ headers: { [header]: value } }, variables)
    const ofModel = guardedBy({ models: [{ id: 'm', headers: { [header]: value } }] }, variables)
    for (const { secrets } of [ofProvider, ofModel]) expect(secrets?.begin().text(output)).toBe(shown)
  })
})

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

it('commands lack variables of headers that carry credentials, and keep those of other headers and of the login [S18d]', () => {
  const headers = { 'x-api-key': '$ONE', authorization: 'Bearer ${TWO}', 'x-team': '$TEAM', 'x-for': '$APP_TOKEN' }
  const models = [{ id: 'm', headers: { cookie: 'user=$USER; session=$THREE', 'x-private-token': '$GITHUB_TOKEN' } }]
  const names = ['ONE', 'TWO', 'THREE', 'TEAM', 'APP_TOKEN', 'USER', 'GITHUB_TOKEN']
  const { env: rest } = guardedBy({ headers, models }, Object.fromEntries(names.map((name) => [name, 'planted-01'])))
  expect(Object.keys(rest)).toEqual(['TEAM', 'USER', 'GITHUB_TOKEN'])
})
