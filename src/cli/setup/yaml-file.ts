import { parseDocument, stringify } from 'yaml'
import { CommandFailed } from '../exit-codes.ts'

/** Reads YAML 1.2. Throws CommandFailed with line and column; `name` is the name of the file. */
export function readYaml(text: string, name: string): unknown {
  const parsed = parseDocument(text, { prettyErrors: true })
  const refused = (message: string) => new CommandFailed('data', `${name} is not YAML: ${message.trim()}`)
  const [problem] = parsed.errors
  if (problem) throw refused(problem.message)
  try {
    return parsed.toJS({ maxAliasCount: 100 })
  } catch (error) {
    // An alias can name nothing, or make a small file grow without end.
    throw refused((error as Error).message)
  }
}

/** Writes YAML, without breaking long lines. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 })
}
