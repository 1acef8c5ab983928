import { mostEvents } from '../../sync-contract.ts'
import type { Linked } from '../loop/linked.ts'
import type { Turn } from '../loop/turn.ts'

/** Tells the PMS what has happened here since the last event it has confirmed, in that order. Answers whether some is left. */
export async function publishAll(linked: Linked, turn: Turn): Promise<boolean> {
  const { feed, configuration, counts } = linked
  let place = linked.link().publishedTo
  while (turn.goesOn() && !linked.isOver()) {
    const { events: found, last, more } = feed.after(place, mostEvents)
    if (found.length > 0) {
      const events = found.map(({ event }) => event)
      await linked.ask({ what: 'events', changes: true }, (sync, call) => sync.publish?.(events, call))
      counts.published += events.length
    }
    if (last === place) return false
    place = last
    await linked.write(linked.changes.keepPlace, { configurationId: configuration.id, publishedTo: place })
    if (!more) return false
  }
  return true
}

/** The most lines of the journal that a PMS without events may be behind. */
const mostPassedOver = 1_000

/** A PMS that receives no events has missed none, so the journal keeps no lines for it. */
export async function passOver({ link, write, changes, configuration }: Linked): Promise<void> {
  const { tailedTo, publishedTo } = link()
  if (tailedTo - publishedTo < mostPassedOver) return
  await write(changes.keepPlace, { configurationId: configuration.id, publishedTo: tailedTo })
}
