import { parseDocument, stringify } from 'yaml'
import { CommandFailed } from '../exit-codes.ts'

/** Reads YAML 1.2. Throws CommandFailed with line and column; `name` is the name of the file. */
export function readYaml(text: string, name: string): unknown {
  const parsed = parseDocument(text, { prettyErrors: true })
  const [problem] = parsed.errors
  if (problem) throw new CommandFailed('data', `${name} is not YAML: ${problem.message.trim()}`)
  return parsed.toJS({ maxAliasCount: 100 })
}

/** Writes YAML, without breaking long lines. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 })
}
