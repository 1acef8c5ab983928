import { createInterface } from 'node:readline/promises'
import { CommandFailed } from './exit-codes.ts'

/** Whether there is a person to ask. */
export function isAttended(): boolean {
  return process.stdin.isTTY === true
}

/** Asks for a hand where there is one to ask, and waits for Enter. Throws CommandFailed when it is interrupted. */
export async function asksForHand(words: string): Promise<void> {
  if (isAttended()) await answerTo(`${words}, and press Enter. `)
}

/** What a person answers, in lower case. Throws CommandFailed when it is interrupted. */
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
