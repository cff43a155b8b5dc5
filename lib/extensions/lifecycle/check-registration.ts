// Checks what an extension registers: capabilities of its manifest, names that are free.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { overrideTool } from '../../streams/tool-definition/override-tool.ts'
import { toolValidator } from '../../streams/tool-definition/tool-validator.ts'
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { AnyTool, Capability } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExtensionCommand } from '../api/extension-api.ts'
import type { ApiParts } from './api-parts.ts'

/** @throws Failure `bad_request` if the manifest does not name the capability */
export function needCapability(
  { manifest, onUse }: Pick<ApiParts, 'manifest' | 'onUse'>,
  capability: Capability,
  detail: string,
): void {
  const wanted = capabilityOf(capability)
  const { name, capabilities = [] } = manifest
  if (!capabilities.some((each) => capabilityOf(each) === wanted)) {
    throw new Failure(
      'bad_request',
      `The extension ${name} may not use ${detail}: its manifest does not name the capability ${wanted}`,
    )
  }
  onUse(name, wanted, detail)
}

/** The tool, whose capability the manifest names; each call of it counts as a use. @throws Failure `bad_request` */
export function watchedTool(parts: ApiParts, tool: AnyTool): AnyTool {
  const { name, capabilities = [] } = parts.manifest
  const capability = capabilityOf(tool.capability)
  if (!capabilities.some((each) => capabilityOf(each) === capability)) {
    throw new Failure(
      'bad_request',
      `The extension ${name} may not register the tool ${tool.name}: its manifest does not name the capability ${capability}`,
    )
  }
  return overrideTool(tool, {
    ...capabilityAfter(parts, tool),
    ...originAfter(parts, tool),
    validate: toolValidator(tool), // a server's session compiles no schema by itself
    execute: (args, context) => {
      parts.onUse(name, capability, `tool ${tool.name}`)
      return tool.execute(args, context)
    },
  })
}

/**
 * A tool that replaces another keeps at least its capability, so that policy decides about it as before.
 * @throws Failure `bad_request` if the manifest does not name it in `replaces`, or another extension has the name
 */
function capabilityAfter({ host, manifest, contributions }: ApiParts, tool: AnyTool): Partial<AnyTool> {
  const { name } = tool
  const other = contributions.tools.entries.find(({ owner, value }) => value.name === name && owner !== manifest.name)
  if (other !== undefined) throw new Failure('bad_request', `The extension ${other.owner} has a tool ${name} already`)
  const replaced = host.ownTools.find((each) => each.name === name)
  if (replaced === undefined) return {}
  if (manifest.replaces?.includes(name) !== true) {
    const hint = 'choose another name, or name it in `replaces` of the manifest'
    throw new Failure('bad_request', `There is a tool ${name} already: ${hint}`)
  }
  const [own, before] = [capabilityOf(tool.capability), capabilityOf(replaced.capability)]
  return own === before || own === 'exec' || before === 'read' ? {} : { capability: before, sideEffectFree: false }
}

/** A tool that replaces one of rxpi is in each request, as that one was. */
function originAfter({ host, manifest: { name } }: ApiParts, tool: AnyTool): Pick<AnyTool, 'origin'> {
  const { label } = tool.origin ?? {}
  return host.ownTools.some((each) => each.name === tool.name)
    ? {}
    : { origin: { server: name, ...(label !== undefined && { label }) } }
}

/** @throws Failure `bad_request` for a name that is not valid or taken */
export function checkCommand({ contributions, manifest }: ApiParts, command: ExtensionCommand): ExtensionCommand {
  const { name } = command
  if (typeof name !== 'string' || !/^[A-Za-z][\w.:-]{0,99}$/.test(name)) {
    throw new Failure(
      'bad_request',
      `The command name ${JSON.stringify(name)} has to be a letter, then letters, digits, "." ":" "_" "-"`,
    )
  }
  const other = contributions.commands.entries.find(({ value }) => value.name === name)
  if (other === undefined || other.owner === manifest.name) return command
  throw new Failure('bad_request', `The extension ${other.owner} has registered the command /${name} already`)
}

/** Folders and files of one kind that an extension registers. */
const mostTexts = 20

/** The path of skills or templates. @throws Failure `bad_request` */
export function checkTexts(parts: ApiParts, kind: 'skills' | 'templates', file: unknown): string {
  const { name } = parts.manifest
  if (typeof file !== 'string' || !path.isAbsolute(file) || !existsSync(file)) {
    throw new Failure(
      'bad_request',
      `The extension ${name} registers ${kind} at ${JSON.stringify(file)}, which is no absolute path of a file or folder that exists`,
    )
  }
  needCapability(parts, 'read', `${kind}.register ${file}`)
  if (parts.contributions[kind].entries.filter(({ owner }) => owner === name).length >= mostTexts)
    throw new Failure('bad_request', `An extension registers at most ${mostTexts} files and folders of ${kind}`)
  return path.normalize(file)
}
