// Checks a request body against the documented rules of its API, and lists the violations.

type Fields = Readonly<Record<string, unknown>>
type Rules = (body: Fields) => string[]

/** The rules of each API; a valid body has an empty list. */
export const requestRules: Readonly<Record<string, Rules>> = {
  'openai-completions': completionsRules,
  'openai-responses': responsesRules,
  'anthropic-messages': messagesRules,
  'google-generative-ai': googleRules,
  'mistral-conversations': mistralRules,
  'bedrock-converse-stream': bedrockRules,
}

function completionsRules(body: Fields): string[] {
  const broken: string[] = []
  const messages = listOf(body['messages'])
  let expected: unknown[] = []
  for (const [index, message] of messages.entries()) {
    const role = message['role']
    if (role === 'tool') {
      if (!expected.includes(message['tool_call_id'])) broken.push(`${index}: a result without its call`)
      expected = expected.filter((id) => id !== message['tool_call_id'])
      if (typeof message['content'] !== 'string' || message['content'] === '')
        broken.push(`${index}: no text of a result`)
      continue
    }
    if (expected.length > 0) broken.push(`${index}: calls without results`)
    const calls = listOf(message['tool_calls'])
    expected = calls.map(({ id }) => id)
    for (const { id, function: called } of calls) {
      if (!/^[\w-]{1,40}$/.test(String(id))) broken.push(`${index}: id ${String(id)}`)
      if (!isJsonObject((called as Fields)['arguments'])) broken.push(`${index}: arguments that are no JSON object`)
    }
    if (new Set(expected).size < expected.length) broken.push(`${index}: an id twice`)
    if (calls.length === 0 && isEmpty(message['content'])) broken.push(`${index}: nothing said`)
  }
  if (expected.length > 0) broken.push('calls without results at the end')
  if (messages.at(-1)?.['role'] === 'assistant') broken.push('nobody asked')
  return broken
}

function mistralRules(body: Fields): string[] {
  const messages = listOf(body['messages'])
  const ids = messages.flatMap(({ tool_calls: calls }) => listOf(calls).map(({ id }) => String(id)))
  const order = messages.flatMap(({ role }, index) =>
    role === 'user' && messages[index - 1]?.['role'] === 'tool' ? [`${index}: a user right after a result`] : [],
  )
  const wrong = ids.filter((id) => !/^[a-zA-Z0-9]{9}$/.test(id)).map((id) => `id ${id}`)
  const results = messages.filter(({ role, name }) => role === 'tool' && typeof name !== 'string')
  // the rules of a chat completion hold for what both have; a result may be a list of parts
  const texts = messages.map((message) =>
    message['role'] === 'tool' && listOf(message['content']).length > 0 ? { ...message, content: 'parts' } : message,
  )
  return [
    ...completionsRules({ ...body, messages: texts }),
    ...order,
    ...wrong,
    ...results.map(() => 'a result without a name'),
  ]
}

function bedrockRules(body: Fields): string[] {
  const broken: string[] = []
  const messages = listOf(body['messages'])
  const ids = (blocks: readonly Fields[], kind: 'toolUse' | 'toolResult'): unknown[] =>
    blocks.flatMap((block) => (kind in block ? [(block[kind] as Fields)['toolUseId']] : []))
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = listOf(content)
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) broken.push(`${index}: the roles do not alternate`)
    if (blocks.length === 0) broken.push(`${index}: nothing said`)
    if (blocks.some((block) => 'text' in block && isEmpty(block['text']))) broken.push(`${index}: a blank text`)
    const called = ids(blocks, 'toolUse')
    if (called.some((id) => !/^[\w-]{1,64}$/.test(String(id)))) broken.push(`${index}: ids ${String(called)}`)
    const answered = ids(listOf(messages[index + 1]?.['content']), 'toolResult')
    if (role === 'assistant' && String(answered) !== String(called)) broken.push(`${index}: calls without results`)
    const before = ids(listOf(messages[index - 1]?.['content']), 'toolUse')
    if (role === 'user' && String(ids(blocks, 'toolResult')) !== String(before))
      broken.push(`${index}: results without calls`)
  }
  const calls = messages.flatMap(({ content }) => ids(listOf(content), 'toolUse'))
  if (new Set(calls).size < calls.length) broken.push('an id twice')
  if (calls.length > 0 && body['toolConfig'] === undefined) broken.push('calls without tools')
  if (messages.at(-1)?.['role'] !== 'user') broken.push('nobody asked')
  return broken
}

function responsesRules(body: Fields): string[] {
  const broken: string[] = body['store'] === false ? [] : ['it would be stored']
  const items = listOf(body['input'])
  const open = new Set<unknown>()
  const received = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const { type, call_id: id } = item
    if ('id' in item) broken.push(`${index}: an id of something that is not stored`)
    if (type === 'function_call') {
      if (received.has(id) || !/^[\w-]{1,64}$/.test(String(id))) broken.push(`${index}: id ${String(id)}`)
      if (!isJsonObject(item['arguments'])) broken.push(`${index}: arguments that are no JSON object`)
      received.add(id)
      open.add(id)
    } else if (type === 'function_call_output') {
      if (!open.delete(id)) broken.push(`${index}: a result without its call`)
      if (isEmpty(item['output'])) broken.push(`${index}: no result`)
    } else if (type === 'reasoning') {
      const next = items[index + 1]
      const isFollowed =
        next?.['type'] === 'function_call' || next?.['type'] === 'reasoning' || next?.['role'] === 'assistant'
      if (!isFollowed || typeof item['encrypted_content'] !== 'string') broken.push(`${index}: reasoning alone`)
    } else if (isEmpty(item['content'])) broken.push(`${index}: nothing said`)
  }
  if (open.size > 0) broken.push('calls without results')
  return broken
}

function messagesRules(body: Fields): string[] {
  const broken: string[] = []
  const messages = listOf(body['messages'])
  const received = new Set<unknown>()
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) broken.push(`${index}: the roles do not alternate`)
    const blocks = listOf(content)
    if (blocks.length === 0) broken.push(`${index}: nothing said`)
    for (const block of blocks) broken.push(...blockRules(block, received).map((reason) => `${index}: ${reason}`))
    const called = idsOf(blocks, 'tool_use', 'id')
    const answered = listOf(messages[index + 1]?.['content']).slice(0, called.length)
    if (String(idsOf(answered, 'tool_result', 'tool_use_id')) !== String(called))
      broken.push(`${index}: calls without results`)
    const results = idsOf(blocks, 'tool_result', 'tool_use_id')
    const callsBefore = idsOf(listOf(messages[index - 1]?.['content']), 'tool_use', 'id')
    if (String(results) !== String(callsBefore)) broken.push(`${index}: results without calls`)
  }
  if (messages.at(-1)?.['role'] !== 'user') broken.push('nobody asked')
  if ((JSON.stringify(body).match(/"cache_control"/g) ?? []).length > 4) broken.push('too many marks of the cache')
  return [...broken, ...thinkingRules(body, messages)]
}

function blockRules(block: Fields, received: Set<unknown>): string[] {
  const { type, id, text } = block
  if (type === 'text') return typeof text === 'string' && text.trim() !== '' ? [] : ['an empty text']
  if (type === 'thinking') return typeof block['signature'] === 'string' ? [] : ['thinking without its signature']
  if (type === 'tool_result') return isEmpty(block['content']) ? ['no result'] : []
  if (type !== 'tool_use') return []
  const isValid = !received.has(id) && /^[\w-]{1,64}$/.test(String(id))
  received.add(id)
  return isValid ? [] : [`id ${String(id)}`]
}

/** With a thinking budget, an answer before tool results must begin with its thinking. */
function thinkingRules({ thinking, max_tokens: limit }: Fields, messages: readonly Fields[]): string[] {
  const { type, budget_tokens: budget } = (thinking ?? {}) as Fields
  if (type !== 'enabled') return []
  const runs = listOf(messages.at(-1)?.['content']).some((block) => block['type'] === 'tool_result')
  const first = String(listOf(messages.at(-2)?.['content'])[0]?.['type'])
  return [
    ...(Number(budget) >= 1024 && Number(budget) < Number(limit)
      ? []
      : ['a budget that is not between 1,024 and the limit']),
    ...(runs && !first.endsWith('thinking') ? ['a tool run that does not begin with thinking'] : []),
  ]
}

function googleRules(body: Fields): string[] {
  const broken: string[] = []
  const turns = listOf(body['contents'])
  if (turns[0]?.['role'] !== 'user') broken.push('the user does not begin')
  for (const [index, turn] of turns.entries()) {
    const parts = listOf(turn['parts'])
    if (parts.length === 0) broken.push(`${index}: nothing said`)
    const calls = namesOf(parts, 'functionCall')
    const next = listOf(turns[index + 1]?.['parts'])
    if (calls.length > 0) {
      if (String(namesOf(next, 'functionResponse')) !== String(calls)) broken.push(`${index}: calls without results`)
      if (next.length !== calls.length) broken.push(`${index}: something beside the results`)
      if (typeof parts.find((part) => 'functionCall' in part)?.['thoughtSignature'] !== 'string')
        broken.push(`${index}: a call without its signature`)
    }
    const before = namesOf(listOf(turns[index - 1]?.['parts']), 'functionCall')
    if (String(namesOf(parts, 'functionResponse')) !== String(before)) broken.push(`${index}: results without calls`)
    if (parts.some((part) => part['text'] === '' && part['thought'] !== true)) broken.push(`${index}: an empty text`)
  }
  if (turns.at(-1)?.['role'] !== 'user') broken.push('nobody asked')
  return broken
}

function namesOf(parts: readonly Fields[], kind: 'functionCall' | 'functionResponse'): unknown[] {
  return parts.flatMap((part) => (kind in part ? [(part[kind] as Fields)['name']] : []))
}

function idsOf(blocks: readonly Fields[], type: string, field: string): unknown[] {
  return blocks.filter((block) => block['type'] === type).map((block) => block[field])
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' ? value.trim() === '' : listOf(value).length === 0)
  )
}

function isJsonObject(text: unknown): boolean {
  const value: unknown = JSON.parse(String(text))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
