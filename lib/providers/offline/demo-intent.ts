// What a question asks of the demo model is found by patterns; what no pattern fits is said to be not understood.

export type DemoIntent =
  | { readonly kind: 'look' | 'help' | 'unknown' }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }

const look =
  /\b(?:what(?:'s| is| are)?\b.*\b(?:in|inside)\b.*\b(?:folder|directory|repo(?:sitory)?|project|here)|what is this (?:folder|directory|repo(?:sitory)?|project)|list (?:the |all )?files|which files|show me (?:the |this )?(?:files|folder|directory|project)|look around|describe (?:the |this )(?:folder|directory|repo(?:sitory)?|project))\b/i
const help = /^\s*(?:help|what can you do|who are you|what are you|hello|hi|hey)\b/i
const read = /^\s*(?:please )?(?:read|open|show|cat)(?: me)?(?: the)?(?: file)? (\S+?)[.?!]?\s*$/i
const run = /^\s*(?:please )?(?:run|execute):? (.+)$/is
const write = /^\s*(?:please )?(?:write|create)(?: the)?(?: file)? (\S+?)(?: with|:) (.+)$/is
const edit = /^\s*(?:please )?(?:in (\S+?),? )?(?:replace|change) (.+?) (?:with|to|by) (.+?)(?: in (\S+?))?[.!]?\s*$/is

/** The first pattern that fits counts; quotes and back-ticks around what is named are dropped. */
export function demoIntent(question: string): DemoIntent {
  const changed = edit.exec(question)
  const path = changed?.[1] ?? changed?.[4]
  if (changed !== null && path !== undefined) {
    return { kind: 'edit', path: bare(path), from: bare(changed[2] ?? ''), to: bare(changed[3] ?? '') }
  }
  const written = write.exec(question)
  if (written !== null) return { kind: 'write', path: bare(written[1] ?? ''), content: bare(written[2] ?? '') }
  if (look.test(question)) return { kind: 'look' }
  const command = run.exec(question)?.[1]
  if (command !== undefined) return { kind: 'run', command: bare(command.trim()) }
  const file = read.exec(question)?.[1]
  if (file !== undefined) return { kind: 'read', path: bare(file) }
  return { kind: help.test(question) ? 'help' : 'unknown' }
}

function bare(text: string): string {
  return /^(["'`])(.*)\1$/s.exec(text)?.[2] ?? text
}
