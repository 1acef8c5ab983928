import type { Linked } from './linked.ts'
import { rulesOf } from './take-in.ts'
import { touchedIn } from './touched.ts'

const linesAtOnce = 500
const mostPages = 10_000

/**
 * Puts what has happened here since the last look into the outbox, and serves who waited for it. Answers whether something was set up meanwhile that
 * a message in quarantine may have lacked.
 */
export async function tail(linked: Linked, actor: string): Promise<boolean> {
  const { reader, write, changes, configuration } = linked
  const isTold = rulesOf(linked).direction !== 'FromPms'
  let wasSetUp = false
  for (let page = 0; page < mostPages && !linked.isOver(); page++) {
    const after = linked.link().tailedTo
    const lines = reader.journal(after, linesAtOnce)
    const upTo = lines.at(-1)?.sequence
    if (upTo === undefined) break
    const { isSetUp, ...touched } = touchedIn(lines, actor)
    wasSetUp ||= isSetUp
    const input = { configurationId: configuration.id, after, upTo, touched, isTold }
    await write(changes.markTouched, input)
    if (lines.length < linesAtOnce) break
  }
  return wasSetUp
}
