import { describe, expect, it } from 'vitest'
import { sentSecrets } from '../../lib/providers/sent-secrets.ts'

describe('sentSecrets', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ Authorization: 'Bearer sk-1234' }, ['sk-1234']],
    [{ 'Proxy-Authorization': 'Basic dXNlcg==' }, ['dXNlcg==']],
    [{ 'x-api-key': 'sk-1234', Cookie: 'a=bcde' }, ['a=bcde', 'sk-1234']],
    [{ 'content-type': 'application/json', 'user-agent': 'rxpi' }, []],
    [{ authorization: 'Bearer abc' }, []],
    [{ 'X-Token': 'no\nheader' }, ['no\nheader']],
    [{}, []],
  ])('of %j are %j', (headers, secrets) => {
    expect(sentSecrets(Object.entries(headers)).sort()).toEqual(secrets)
  })
})
