// How a generation of models is asked to think is known by its name, also for members that no list has yet.
import { anthropicFamilies } from './catalogue-anthropic.ts'
import type { CatalogueFamily, FamilyManners } from './catalogue-entry.ts'
import { googleFamilies } from './catalogue-google.ts'
import { openAiFamilies } from './catalogue-openai.ts'

const families: readonly CatalogueFamily[] = [...anthropicFamilies, ...googleFamilies, ...openAiFamilies]

/** @param name `provider/id`, with the name of the vendor whose models they are */
export function familyManners(name: string): FamilyManners | undefined {
  return families.find(({ pattern }) => pattern.test(name))?.entry
}
