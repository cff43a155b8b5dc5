// Generates the modules that the library imports before vitest loads the first test file.
// So `npx vitest` works right after `npm ci`.
import { ensureValidators } from '../../scripts/validators/validators.ts'

export default function setup(): void {
  ensureValidators(process.cwd())
}
