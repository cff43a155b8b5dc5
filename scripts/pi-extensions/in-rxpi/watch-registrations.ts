// Records what a module of pi registers in rxpi, and the events that it receives.
import type { NameFacts, Registered, ToolFacts } from '../contract/extension-record.ts'
import { plainText } from '../contract/plain-text.ts'
import { watchHandler } from '../play/watch-handlers.ts'

type Handler = (...args: unknown[]) => unknown
type Factory = (pi: Record<string, unknown>) => unknown

export interface RegistrationWatch {
  /** Types of the messages and entries that the module writes. */
  readonly customTypes: Set<string>
  facts(): Registered
  /** The same factory, which receives an api that records. */
  watch(exported: unknown, events: string[]): unknown
}

export function watchRegistrations(): RegistrationWatch {
  const tools: ToolFacts[] = []
  const names = { commands: new Array<NameFacts>(), shortcuts: new Array<NameFacts>(), flags: new Array<NameFacts>() }
  const customTypes = new Set<string>()
  const named = (list: NameFacts[], register: Handler) => (name: string, options: { description?: string }) => {
    const { description } = options
    register(name, options)
    list.push({ name, ...(description !== undefined && { description: plainText(description) }) })
  }
  return {
    customTypes,
    facts: () => ({ tools, ...names, providers: [] }),
    watch: (exported, events) => {
      if (typeof exported !== 'function') return exported
      const factory = exported as Factory
      return (pi: Record<string, unknown>) => {
        const own = pi as Record<string, Handler>
        const call = (name: string): Handler => own[name] ?? (() => undefined)
        return factory({
          ...pi,
          on: (type: string, handler: Handler) => call('on')(type, watchHandler(handler, type, events)),
          registerTool: (tool: ToolFacts) => {
            call('registerTool')(tool)
            const { name, description = '', parameters } = tool
            tools.push({ name, description: plainText(description), parameters })
          },
          sendMessage: (message: { customType: string }, options: unknown) => {
            customTypes.add(message.customType)
            call('sendMessage')(message, options)
          },
          appendEntry: (customType: string, data: unknown) => {
            customTypes.add(customType)
            call('appendEntry')(customType, data)
          },
          registerCommand: named(names.commands, call('registerCommand')),
          registerShortcut: named(names.shortcuts, call('registerShortcut')),
          registerFlag: named(names.flags, call('registerFlag')),
        })
      }
    },
  }
}
