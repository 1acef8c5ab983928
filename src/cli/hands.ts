import { createInterface } from 'node:readline/promises'
import { CommandFailed } from './exit-codes.ts'

/** Returns whether a person is at the terminal. */
export function isAttended(): boolean {
  return process.stdin.isTTY === true
}

/**
 * Asks the person at the terminal to do something, and waits for Enter. Returns at once without a terminal. Throws
 * CommandFailed when interrupted.
 */
export async function asksForHand(words: string): Promise<void> {
  if (isAttended()) await answerTo(`${words}, and press Enter. `)
}

/** Returns the answer of the person at the terminal, in lower case. Throws CommandFailed when interrupted. */
export async function answerTo(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const interrupted = new AbortController()
  for (const event of ['SIGINT', 'close']) terminal.once(event, () => interrupted.abort())
  try {
    return (await terminal.question(question, { signal: interrupted.signal })).trim().toLowerCase()
  } catch (error) {
    if (interrupted.signal.aborted) throw new CommandFailed('later', 'Interrupted.')
    throw error
  } finally {
    terminal.close()
  }
}
