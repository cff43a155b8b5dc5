// Tests the notes about skills that came, changed or went while a session is open.
import { delay, lastValueFrom, of, toArray } from 'rxjs'
import { expect, it } from 'vitest'
import { contextNotes } from '../../../lib/context/notes/create-notes.ts'
import type { Skill } from '../../../lib/context/skills/parse-skill.ts'
import { contextMessage } from '../../../lib/streams/messages/context-message.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'

const skill = (name: string, description = `Does ${name}.`, isForModel = true): Skill => ({
  name,
  description,
  path: `/skills/${name}/SKILL.md`,
  isForModel,
})

function scene(inPrompt: readonly Skill[]) {
  let now: readonly Skill[] = inPrompt
  let looks = 0
  const startedAt = new Date(2026, 0, 9)
  const current$ = () => {
    looks++
    return of(now).pipe(delay(0))
  }
  const notes = contextNotes({
    cwd: '/nowhere',
    startedAt,
    now: () => startedAt,
    skills: { inPrompt, current: current$ },
  })
  const due = async (messages: Message[]): Promise<string[]> => {
    const due$ = notes.due(messages)
    const all = due$ === undefined ? [] : await lastValueFrom(due$.pipe(toArray()), { defaultValue: [] })
    for (const each of all) if (each.type === 'note') messages.push(contextMessage({ ...each.note, timestamp: 0 }))
    return all.flatMap((each) => (each.type === 'note' ? [each.note.content] : []))
  }
  return { due, set: (next: readonly Skill[]) => (now = next), looks: () => looks }
}

it('says once what came, what changed and what went', async () => {
  const { due, set } = scene([skill('a'), skill('b')])
  const messages: Message[] = [user()]
  expect(await due(messages)).toEqual([])
  set([skill('a', 'Does more.'), skill('c'), skill('hidden', 'x', false)])
  expect(await due(messages)).toEqual([
    'This skill has changed; its line is now:\n- a: Does more. (/skills/a/SKILL.md)',
    'There is a new skill. If a task fits its description, read its file with read before you begin, and follow it:\n- c: Does c. (/skills/c/SKILL.md)',
    'The skill /skills/b/SKILL.md is not available any more.',
  ])
  messages.push(user())
  expect(await due(messages)).toEqual([])
  set([skill('a'), skill('b'), skill('c')])
  messages.push(user())
  expect(await due(messages)).toHaveLength(2)
})

it('says it again on a branch of the conversation that does not hold it', async () => {
  const { due, set } = scene([])
  set([skill('a')])
  expect(await due([user()])).toHaveLength(1)
  expect(await due([user()])).toHaveLength(1)
})

it('looks when a prompt begins, not before each request', async () => {
  const { due, looks } = scene([])
  const messages: Message[] = [user()]
  await due(messages)
  messages.push(assistant(), toolResult({}))
  await due(messages)
  expect(looks()).toBe(1)
  messages.push(assistant())
  await due(messages)
  expect(looks()).toBe(2)
})

it('bounds the notes of one look; the others follow', async () => {
  const { due, set } = scene([])
  set(Array.from({ length: 25 }, (_, index) => skill(`s${index}`)))
  const messages: Message[] = [user()]
  expect(await due(messages)).toHaveLength(20)
  messages.push(user())
  expect(await due(messages)).toHaveLength(5)
})
