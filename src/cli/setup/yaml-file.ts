import { parseDocument, stringify } from 'yaml'
import { CommandFailed } from '../exit-codes.ts'

/** Reads YAML 1.2. Throws CommandFailed with line and column of each error; `name` is the name of the file. */
export function readYaml(text: string, name: string): unknown {
  const parsed = parseDocument(text, { prettyErrors: true })
  const refused = (message: string) => new CommandFailed('data', `${name} is not YAML: ${message.trim()}`)
  if (parsed.errors.length > 0) throw refused(messagesOf(parsed.errors))
  try {
    return parsed.toJS({ maxAliasCount: 100 })
  } catch (error) {
    // An alias can name nothing, or make a small file grow without end.
    throw refused((error as Error).message)
  }
}

/** One mistake can cause many others. */
const mostErrors = 10

function messagesOf(errors: readonly Error[]): string {
  const more = errors.length - mostErrors
  const shown = errors.slice(0, mostErrors).map(({ message }) => message.trim())
  return [...shown, ...(more > 0 ? [`${more} more errors.`] : [])].join('\n')
}

/** Writes YAML, without breaking long lines. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 })
}
