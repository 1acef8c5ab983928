import { readFileSync } from 'node:fs'
import { CommandFailed } from './exit-codes.ts'

/**
 * Returns the JSON object of a file; of standard input for `-`, and an empty one without a file. Throws CommandFailed
 * when the file cannot be read, or is no JSON object.
 */
export function jsonIn(file: string | undefined): Record<string, unknown> {
  if (file === undefined) return {}
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CommandFailed('missing', `${file} cannot be read: ${(error as Error).message}.`)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw new CommandFailed('usage', `${file} is not a JSON object.`)
}
